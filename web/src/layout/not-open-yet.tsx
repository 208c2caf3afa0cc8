import { Link } from 'react-router'
import { useConfig, useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useNow } from '../state/clock.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Countdown } from '../ui/data/countdown.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Panel } from '../ui/states/panel.tsx'
import { calendarFile } from './calendar.ts'
import styles from './layout.module.css'

/** In place of a page that opens with the start. */
export function NotOpenYet() {
  const text = useText(frameCatalogue)
  const format = useFormat()
  const config = useConfig()
  const now = useNow()
  const { isSignedIn } = useOwnTeam()
  if (!config) return null
  const { startTime, registrationsEnabled } = config
  return (
    <div className={styles.page}>
      <h1>{now < startTime ? text.notOpenTitle : text.opening}</h1>
      <Panel>
        <Countdown until={startTime} now={now} label={text.startsIn} />
        <p>{text.startsAt(format.dateTime(startTime), format.utc(startTime))}</p>
        <p>{text.notOpenText}</p>
        <div className={styles.actions}>
          <Button
            icon="download"
            onClick={() =>
              saveFile({ name: 'event.ics', content: calendarFile(config), type: 'text/calendar' })
            }
          >
            {text.addToCalendar}
          </Button>
          {isSignedIn && <Link to={paths.ownTeam()}>{text.toProfile}</Link>}
          {!isSignedIn && registrationsEnabled !== false && (
            <Link to={paths.register()}>{text.register}</Link>
          )}
        </div>
      </Panel>
    </div>
  )
}
