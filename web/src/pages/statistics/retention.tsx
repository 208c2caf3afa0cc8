import { HOUR_MS } from '@pennant/contract/durations.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { PlotPanel } from '../../ui/drawn/plot-panel.tsx'
import { Bars, BARS_HEIGHT } from './bars.tsx'
import { Legend } from './legend.tsx'
import { timeLabels } from './over-time.tsx'
import type { PartProps } from './part.ts'

/** Active teams of each period, those of the first hours at the foot of its bar. */
export function Retention({ report, csv }: PartProps) {
  const text = useMessages(statisticsMessages)
  const { number, dateTime } = useFormat()
  const { early, earlyMs, periodMs, returning, others } = report.retention
  const timeOf = (at: number) => dateTime(report.from + at * periodMs)
  const labels = timeLabels({ from: report.from, periodMs })
  const value = (of: readonly number[], at: number) => number(of.at(at) ?? 0)
  return (
    <PlotPanel
      title={text.retention}
      aside={csv('retention', text.retention)}
      label={text.retentionLabel(value(returning, 0), value(returning, -1))}
      height={BARS_HEIGHT}
      draw={(width) => (
        <Bars
          width={width}
          foot={returning}
          rest={others}
          tone="cool"
          describe={(at) => `${timeOf(at)}: ${text.retained(value(returning, at), value(others, at))}`}
          labels={labels(returning.length, width)}
        />
      )}
      table={{
        head: [text.from, text.returning, text.others],
        rows: returning.map((count, at) => [timeOf(at), number(count), value(others, at)]),
      }}
    >
      <Legend foot={text.returning} rest={text.others} tone="cool" />
      <p className="pn-flat pn-muted pn-small">
        {text.retentionAbout(number(early), number(Math.round((earlyMs / HOUR_MS) * 10) / 10))}
      </p>
    </PlotPanel>
  )
}
