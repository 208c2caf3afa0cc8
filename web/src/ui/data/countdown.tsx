import { useWords } from '../words.ts'
import styles from './data.module.css'
import { clockText, partsOf } from './durations.ts'

interface CountdownProps {
  /** Unix milliseconds of the moment it counts to, and of now: the server's clock. */
  readonly until: number
  readonly now: number
  readonly label: string
}

/** Days, hours, minutes, seconds in cells of fixed width. Readers are not told each second. */
export function Countdown({ until, now, label }: CountdownProps) {
  const words = useWords()
  const { days, hours, minutes, seconds } = partsOf(until - now)
  const cells = [
    [days, words.days],
    [hours, words.hours],
    [minutes, words.minutes],
    [seconds, words.seconds],
  ] as const
  return (
    <div role="timer" aria-live="off" aria-label={label} className={styles.cells}>
      {cells.map(([count, unit]) => (
        <span key={unit} className={styles.cell}>
          <span className={styles.number}>{String(count).padStart(2, '0')}</span>
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  )
}

interface TimeLeftProps {
  /** Milliseconds; below zero counts as none. */
  readonly leftMs: number
  /** `4:12`, or with `long` `2 d 04:12:09`. */
  readonly long?: boolean
}

/** Time left in one line. */
export function TimeLeft({ leftMs, long = false }: TimeLeftProps) {
  const words = useWords()
  return (
    <span role="timer" aria-live="off" className={styles.clock}>
      {clockText(leftMs, long ? words.daysShort : undefined)}
    </span>
  )
}
