import { useNow } from '../../state/clock.ts'
import { partsOf } from '../../ui/data/durations.ts'
import { useUiMessages } from '../../ui/ui-messages.ts'
import styles from './home.module.css'

interface HangingClockProps {
  /** Unix milliseconds of the server's clock. */
  readonly until: number
  readonly label: string
}

/** Days, hours, minutes and seconds on four hanging cloths. Not announced to readers every second. */
export function HangingClock({ until, label }: HangingClockProps) {
  const messages = useUiMessages()
  const { days, hours, minutes, seconds } = partsOf(until - useNow())
  const cloths = [
    [days, messages.days],
    [hours, messages.hours],
    [minutes, messages.minutes],
    [seconds, messages.seconds],
  ] as const
  return (
    <div role="timer" aria-live="off" aria-label={label} className={styles.hanging}>
      {cloths.map(([count, unit]) => (
        <span key={unit} className={styles.gonfalon}>
          <span className={styles.number}>{String(count).padStart(2, '0')}</span>
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  )
}
