import { useWords } from '../words.ts'
import styles from './marks.module.css'

/** Above this many challenges single triangles are too small to count. */
const MOST_TRIANGLES = 14
const STEP = 12

interface BuntingProps {
  readonly solved: number
  readonly total: number
  readonly hidden?: boolean
}

/** Progress of a category or an event: a line with one triangle per challenge, or a bar with as many ticks. */
export function Bunting({ solved, total, hidden = false }: BuntingProps) {
  const words = useWords()
  const spoken = hidden
    ? { 'aria-hidden': true }
    : { role: 'img', 'aria-label': words.solvedOf(solved, total) }
  const width = Math.min(Math.max(total, 1), MOST_TRIANGLES) * STEP
  return (
    <svg
      {...spoken}
      className={styles.bunting}
      width={width}
      height={14}
      viewBox={`0 0 ${width} 14`}
      fill="none"
    >
      {total > MOST_TRIANGLES ? (
        <Bar share={solved / total} width={width} total={total} />
      ) : (
        <Triangles solved={solved} total={total} width={width} />
      )}
    </svg>
  )
}

function Triangles({ solved, total, width }: { solved: number; total: number; width: number }) {
  return (
    <>
      <path d={`M0 2h${width}`} stroke="currentColor" strokeWidth="1.4" />
      {Array.from({ length: total }, (_, at) => (
        <path
          key={at}
          d={`M${at * STEP + 2} 2.500h8l-4 8.500Z`}
          stroke="currentColor"
          strokeLinejoin="round"
          fill={at < solved ? 'currentColor' : 'none'}
        />
      ))}
    </>
  )
}

function Bar({ share, width, total }: { share: number; width: number; total: number }) {
  const ticks = Array.from(
    { length: total - 1 },
    (_, at) => `M${(((at + 1) * width) / total).toFixed(2)} 9v3`,
  )
  return (
    <>
      <path d={`M.5 2.500h${width - 1}v6H.5Z`} stroke="currentColor" />
      <path d={`M.5 2.500h${((width - 1) * share).toFixed(2)}v6H.5Z`} fill="currentColor" />
      <path d={ticks.join('')} stroke="currentColor" strokeWidth=".7" />
    </>
  )
}
