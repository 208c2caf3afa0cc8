import { useUiMessages } from '../ui-messages.ts'
import { categoryOf } from './categories.ts'
import { clothStyle } from './category-mark.tsx'
import styles from './marks.module.css'

/** Above this number, single triangles are too small to count. */
const MAX_TRIANGLES = 14
const STEP = 12

interface BuntingProps {
  readonly solved: number
  readonly total: number
  /** Draws in the colour of the category instead of that of solved challenges. */
  readonly category?: string
  readonly hidden?: boolean
}

/** Progress of a category or an event: one triangle per challenge, or a bar with as many ticks. */
export function Bunting({ solved, total, category, hidden = false }: BuntingProps) {
  const messages = useUiMessages()
  const spoken = hidden
    ? { 'aria-hidden': true }
    : { role: 'img', 'aria-label': messages.solvedOf(solved, total) }
  const style = category === undefined ? undefined : clothStyle(categoryOf(category))
  const width = Math.min(Math.max(total, 1), MAX_TRIANGLES) * STEP
  return (
    <svg
      {...spoken}
      className={styles.bunting}
      style={style}
      width={width}
      height={14}
      viewBox={`0 0 ${width} 14`}
      fill="none"
    >
      {total > MAX_TRIANGLES ? (
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
      <path d={`M0 2h${width}`} className={styles.unfilled} strokeWidth="1.4" />
      {Array.from({ length: total }, (_, at) => (
        <path
          key={at}
          d={`M${at * STEP + 2} 2.500h8l-4 8.500Z`}
          strokeLinejoin="round"
          {...(at < solved
            ? { stroke: 'currentColor', fill: 'currentColor' }
            : { className: styles.unfilled })}
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
      <path d={`M.5 2.500h${width - 1}v6H.5Z`} className={styles.unfilled} />
      <path d={`M.5 2.500h${((width - 1) * share).toFixed(2)}v6H.5Z`} fill="currentColor" />
      <path d={ticks.join('')} className={styles.unfilled} strokeWidth=".7" />
    </>
  )
}
