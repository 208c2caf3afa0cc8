import { cx } from '../cx.ts'
import { useWords } from '../words.ts'
import styles from './marks.module.css'

/** Of the first three, in their order. */
export const BLOODS = ['blood1', 'blood2', 'blood3'] as const

export type Sign = 'bare' | 'solved' | 'live' | (typeof BLOODS)[number]

interface PennantProps {
  readonly sign: Sign
  /** Pixels; from 24 up the digit of a blood stands inside. */
  readonly size?: number
  /** Beside a word that says the same. */
  readonly hidden?: boolean
  /** The sign was just earned: it is raised once. */
  readonly raising?: boolean
}

/** The class that colours something else as the sign is. */
export function signColour(sign: Sign): string | undefined {
  return styles[sign]
}

const INSIDE_FROM_PX = 24

/** The sign of a solve: bare pole, raised pennant, swallowtail of a blood, streamer of live scores. */
export function Pennant({ sign, size = 16, hidden = false, raising = false }: PennantProps) {
  const words = useWords()
  const place = sign.startsWith('blood') ? Number(sign.slice(-1)) : null
  const name = { bare: words.notSolved, solved: words.solved, live: words.live }[sign as 'bare']
  const label = place === null ? name : words.blood(place)
  const spoken = hidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span {...spoken} className={cx(styles.blood, styles[sign])}>
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" className={styles.sign}>
        <path d="M3.5 1.500v13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        <g className={cx(raising && styles.raising)}>
          <Cloth sign={sign} />
          {place !== null && size >= INSIDE_FROM_PX && (
            <text x="8.5" y="7.8" fontSize="6" fontWeight="700" fill="var(--pn-bg)">
              {place}
            </text>
          )}
        </g>
      </svg>
      {place !== null && size < INSIDE_FROM_PX && <span className={styles.digit}>{place}</span>}
    </span>
  )
}

function Cloth({ sign }: { readonly sign: Sign }) {
  if (sign === 'solved') return <path d="M6 2.8 13.4 6 6 9.200Z" fill="currentColor" />
  if (sign === 'bare') return <path d="M6 3 13 6 6 9" stroke="currentColor" strokeDasharray="2 1.5" />
  if (sign === 'live') return <path d="M6 5q2-2.5 4 0t4 0" stroke="currentColor" strokeWidth="1.8" />
  return <path d="M6 2h9l-2.6 3.600L15 9.200H6Z" fill="currentColor" />
}
