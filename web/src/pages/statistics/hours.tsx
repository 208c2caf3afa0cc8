import { HOUR_MS } from '@pennant/contract/durations.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { byLocale } from '../../text/page-locale.ts'
import { PlotPanel } from '../../ui/drawn/plot-panel.tsx'
import { Bars, BARS_HEIGHT } from './bars.tsx'
import { Legend } from './legend.tsx'
import type { PartProps } from './part.ts'

const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }))
/** Hours between labels. */
const LABEL_EVERY = 6

/** Submissions and solves by hour of the day, in the reader's time zone. */
export function Hours({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const hours = localHours(report)
  const submissions = hours.map((each) => each.submissions)
  const busiest = submissions.indexOf(Math.max(...submissions))
  return (
    <PlotPanel
      title={text.hours}
      aside={csv('hours', text.hours)}
      label={text.hoursLabel(hours[busiest]?.label ?? '')}
      height={BARS_HEIGHT}
      draw={(width) => (
        <Bars
          width={width}
          foot={hours.map(({ solves }) => solves)}
          rest={hours.map((each) => Math.max(0, each.submissions - each.solves))}
          tone="warm"
          describe={(at) =>
            `${hours[at]?.label}: ${text.inPeriod(number(submissions[at] ?? 0), number(hours[at]?.solves ?? 0))}`
          }
          labels={hours.flatMap(({ label }, at) => (at % LABEL_EVERY === 0 ? [[at, label] as const] : []))}
        />
      )}
      table={{
        head: [text.hour, text.solves, text.submissions, text.active],
        rows: hours.map(({ label, solves, submissions: count, teams }) => [
          label,
          number(solves),
          number(count),
          number(teams),
        ]),
      }}
    >
      <Legend foot={text.solvesKey} rest={text.otherSubmissions} tone="warm" />
    </PlotPanel>
  )
}

/** From midnight of the reader on, by the time zone that was in force at the start. */
function localHours({ hours, from }: PartProps['report']) {
  const midnightUtc = new Date(from).setUTCHours(0, 0, 0, 0)
  return hours
    .map((figures, hour) => {
      const at = new Date(midnightUtc + hour * HOUR_MS)
      return { ...figures, label: times().format(at), minutes: at.getHours() * 60 + at.getMinutes() }
    })
    .sort((a, b) => a.minutes - b.minutes)
}
