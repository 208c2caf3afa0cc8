import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import styles from './marks.module.css'

/** First, second and third blood. */
export const BLOODS = ['blood1', 'blood2', 'blood3'] as const

export type Sign = 'bare' | 'solved' | 'live' | (typeof BLOODS)[number]

interface PennantProps {
  readonly sign: Sign
  /** Size in pixels. */
  readonly size?: number
  /** Hidden from screen readers, because a text next to it says the same. */
  readonly hidden?: boolean
  /** Plays the raise animation once, for a new solve. */
  readonly raising?: boolean
}

/** The CSS class with the colour of the icon. */
export function signColour(sign: Sign): string | undefined {
  return styles[sign]
}

/** Solve icon: bare pole (unsolved), pennant (solved), swallowtail (blood), streamer (dynamic points). */
export function Pennant({ sign, size = 16, hidden = false, raising = false }: PennantProps) {
  const messages = useUiMessages()
  const place = sign.startsWith('blood') ? Number(sign.slice(-1)) : null
  const name = { bare: messages.notSolved, solved: messages.solved, live: messages.scoredLive }[
    sign as 'bare'
  ]
  const label = place === null ? name : messages.blood(place)
  const spoken = hidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span {...spoken} className={cx(styles.blood, styles[sign])}>
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" className={styles.sign}>
        <path d="M3.5 1.500v13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        <g className={cx(raising && styles.raising)}>
          {place === null ? <Flying sign={sign} /> : <Blood place={place} />}
        </g>
      </svg>
    </span>
  )
}

function Flying({ sign }: { readonly sign: Sign }) {
  if (sign === 'bare')
    return <path d="M5.6 2.8 13 6 5.6 9.200Z" stroke="currentColor" strokeDasharray="2 1.6" />
  if (sign === 'live') return <path d="M6 5q2-2.5 4 0t4 0" stroke="currentColor" strokeWidth="1.8" />
  return <path d="M5.4 2.2 14.4 6 5.4 9.800Z" fill="currentColor" />
}

function Blood({ place }: { readonly place: number }) {
  return (
    <>
      <path
        className={styles[`medal${place}`]}
        d="M5.4 1.600h9.8l-2.8 4.2 2.8 4.200H5.400Z"
        strokeWidth="0.9"
        strokeLinejoin="round"
      />
      <text className={styles.onMedal} x="9" y="8.1" fontSize="6.4">
        {place}
      </text>
    </>
  )
}
