import { useQuery } from '@tanstack/react-query'
import { useConfig, useMay } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { byLocale } from '../../text/page-locale.ts'
import { cx } from '../../ui/cx.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import styles from './course.module.css'
import { setChallengesQuery } from './queries.ts'
import { releasesIn } from './releases.ts'

/** More marks would cover each other; the next release is named in any case. */
const MAX_MARKS = 12

const percent = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** How far the event has come, with a mark for each release of challenges. */
export function Course() {
  const text = useMessages(dashboardMessages)
  const { dateTime, number } = useFormat()
  const config = useConfig()
  const mayRead = useMay('challsRead')
  const { data: challenges = [] } = useQuery({ ...setChallengesQuery, enabled: mayRead })
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  if (!config || config.endTime <= config.startTime) return null
  const { startTime, endTime } = config
  const share = (at: number) => Math.min(1, Math.max(0, (at - startTime) / (endTime - startTime)))
  const place = (at: number) => ({ insetInlineStart: `${(share(at) * 100).toFixed(2)}%` })
  const releases = releasesIn(challenges, { from: startTime, to: endTime })
  const next = releases.find(({ at }) => at > now)
  const released = (count: number) => text.released(count, number(count))
  return (
    <div className={styles.course}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={text.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share(now) * 100)}
        aria-valuetext={percent().format(share(now))}
      >
        <span className={styles.past} style={{ inlineSize: `${(share(now) * 100).toFixed(2)}%` }} />
        {releases.slice(0, MAX_MARKS).map(({ at, challenges: count }) => (
          <span
            key={at}
            className={cx(styles.mark, at <= now && styles.passed)}
            style={place(at)}
            title={`${dateTime(at)}: ${released(count)}`}
          />
        ))}
      </div>
      <p>
        <span>{text.startedAt(dateTime(startTime))}</span>
        {next && <b>{text.nextRelease(dateTime(next.at), released(next.challenges))}</b>}
        <span>{text.endsAt(dateTime(endTime))}</span>
      </p>
    </div>
  )
}
