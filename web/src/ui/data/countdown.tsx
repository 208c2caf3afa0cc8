import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import styles from './data.module.css'
import { clockText, partsOf } from './durations.ts'

interface CountdownProps {
  /** Target time and current time: Unix milliseconds, server clock. */
  readonly until: number
  readonly now: number
  readonly label: string
  /** For the first sight of a page. */
  readonly large?: boolean
}

/** Days (from one on), hours, minutes and seconds on hanging cloths. Not announced to screen readers every second. */
export function Countdown({ until, now, label, large = false }: CountdownProps) {
  const messages = useUiMessages()
  const { days, hours, minutes, seconds } = partsOf(until - now)
  const cells = [
    ...(days > 0 ? [[days, messages.days] as const] : []),
    [hours, messages.hours],
    [minutes, messages.minutes],
    [seconds, messages.seconds],
  ] as const
  return (
    <div
      role="timer"
      aria-live="off"
      aria-label={label}
      className={cx(styles.hanging, large && styles.large)}
    >
      {cells.map(([count, unit]) => (
        <span key={unit} className={styles.gonfalon}>
          <span className={styles.number}>{String(count).padStart(2, '0')}</span>
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  )
}

interface TimeLeftProps {
  /** Milliseconds; negative values count as zero. */
  readonly leftMs: number
  /** Format: `4:12`, or `2 d 04:12:09` with `long`. */
  readonly long?: boolean
}

/** Remaining time on one line. */
export function TimeLeft({ leftMs, long = false }: TimeLeftProps) {
  const messages = useUiMessages()
  return (
    <span role="timer" aria-live="off" className="pn-digits pn-nowrap">
      {clockText(leftMs, long ? messages.daysShort : undefined)}
    </span>
  )
}
