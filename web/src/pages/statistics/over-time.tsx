import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { byLocale } from '../../text/page-locale.ts'
import { PlotPanel } from '../../ui/drawn/plot-panel.tsx'
import { Bars, BARS_HEIGHT, labelPlaces, START_PX } from './bars.tsx'
import { Legend } from './legend.tsx'
import type { PartProps } from './part.ts'

const axisTime = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' }),
)
/** Least distance between two labels of the time axis. The first and the last are inside the plot, the others centred. */
const LABEL_PX = 140

/** Labels of an axis of periods, as many as fit. */
export function timeLabels({ from, periodMs }: { readonly from: number; readonly periodMs: number }) {
  return (bars: number, width: number) =>
    labelPlaces(bars, Math.floor((width - START_PX) / LABEL_PX)).map(
      (at) => [at, axisTime().format(from + at * periodMs)] as const,
    )
}

/** Submissions of each period, the solves at the foot of its bar. */
export function OverTime({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const { number, dateTime } = useFormat()
  const { from, overTime, total } = report
  const { periodMs, solves, submissions, teams } = overTime
  const timeOf = (at: number) => dateTime(from + at * periodMs)
  const labels = timeLabels({ from, periodMs })
  const rest = submissions.map((count, at) => Math.max(0, count - (solves[at] ?? 0)))
  return (
    <PlotPanel
      title={text.overTime}
      aside={csv('over-time', text.overTime)}
      label={text.overTimeLabel(number(total.solves), number(total.submissions))}
      height={BARS_HEIGHT}
      empty={solves.length === 0 ? text.nothingYet : undefined}
      draw={(width) => (
        <Bars
          width={width}
          foot={solves}
          rest={rest}
          tone="warm"
          describe={(at) =>
            `${timeOf(at)}: ${text.inPeriod(number(submissions[at] ?? 0), number(solves[at] ?? 0))}`
          }
          labels={labels(solves.length, width)}
        />
      )}
      table={{
        head: [text.from, text.solves, text.submissions, text.active],
        rows: solves.map((count, at) => [
          timeOf(at),
          number(count),
          number(submissions[at] ?? 0),
          number(teams[at] ?? 0),
        ]),
      }}
    >
      <Legend foot={text.solvesKey} rest={text.otherSubmissions} tone="warm" />
    </PlotPanel>
  )
}
