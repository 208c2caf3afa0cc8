import { Link } from 'react-router'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Countdown } from '../../ui/data/countdown.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { CalendarButton } from '../calendar/calendar-button.tsx'
import styles from '../layout.module.css'

/** Replaces a page that opens at the start. */
export function NotOpenYet() {
  const text = useMessages(frameMessages)
  const format = useFormat()
  const config = useConfig()
  const now = useNow()
  const { isSignedIn } = useOwnTeam()
  if (!config) return null
  const { startTime, registrationsEnabled } = config
  const isScheduled = config.scheduled !== false
  return (
    <div className={styles.page}>
      <h1>{now < startTime ? text.notOpenTitle : text.opening}</h1>
      <Panel>
        {isScheduled && <Countdown until={startTime} now={now} label={text.startsIn} />}
        <p>
          {isScheduled
            ? text.startsAt(format.dateTime(startTime), format.utc(startTime))
            : text.notScheduledText}
        </p>
        <p>{text.notOpenText}</p>
        <div className={styles.actions}>
          <CalendarButton config={config} />
          {isSignedIn && <Link to={paths.ownTeam()}>{text.toProfile}</Link>}
          {!isSignedIn && registrationsEnabled !== false && (
            <Link to={paths.register()}>{text.register}</Link>
          )}
        </div>
      </Panel>
    </div>
  )
}
