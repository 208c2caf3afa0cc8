import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { byLocale } from '../../../text/page-locale.ts'
import type { Statistics } from '../queries.ts'
import { PlotPanel } from '../../../ui/drawn/plot-panel.tsx'
import styles from '../../../ui/drawn/drawn.module.css'
import { linearTicks } from '../../../ui/drawn/scales.ts'

const HEIGHT = 220
const AXIS_PX = 22
const TOP_PX = 16

const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

/** All solves since the start, as a stepped line. */
export function SolvesPlot({ statistics: { solves, now } }: { readonly statistics: Statistics }) {
  const text = useMessages(dashboardMessages)
  const { number, dateTime } = useFormat()
  const { from, periodMs, counts } = solves
  const totals = runningTotals(counts)
  const total = totals.at(-1) ?? 0
  const until = from + counts.length * periodMs
  const ticks = linearTicks(total)
  const most = ticks.at(-1) ?? 1
  const draw = (width: number) => {
    const foot = HEIGHT - AXIS_PX
    const y = (count: number) => Math.round(foot - (count / most) * (foot - TOP_PX)) + 0.5
    const x = (at: number) => Math.round((at * width * 10) / counts.length) / 10
    const steps = totals.map((count, at) => `V${y(count)}H${x(at + 1)}`).join('')
    const line = `M0 ${y(0)}${steps}`
    return (
      <>
        {ticks.map((tick) => (
          <path key={tick} className={styles.grid} d={`M0 ${y(tick)}H${width}`} />
        ))}
        <path className={styles.area} d={`${line}V${foot}H0Z`} />
        <path className={styles.line} d={line} />
        {ticks.slice(1).map((tick) => (
          <text key={tick} x={0} y={y(tick) - 4}>
            {number(tick)}
          </text>
        ))}
        <text x={0} y={HEIGHT - 4}>
          {times().format(from)}
        </text>
        <text x={width / 2} y={HEIGHT - 4} textAnchor="middle">
          {times().format((from + until) / 2)}
        </text>
        <text x={width} y={HEIGHT - 4} textAnchor="end">
          {until >= now ? text.now : times().format(until)}
        </text>
      </>
    )
  }
  return (
    <PlotPanel
      title={text.solvesOverTime}
      aside={<b className={styles.total}>{number(total)}</b>}
      label={text.solvesSinceStart(number(total))}
      height={HEIGHT}
      draw={draw}
      table={{
        head: [text.from, text.solves, text.total],
        rows: counts.map((count, at) => [
          dateTime(from + at * periodMs),
          number(count),
          number(totals[at] ?? 0),
        ]),
      }}
    />
  )
}

function runningTotals(counts: readonly number[]): number[] {
  let total = 0
  return counts.map((count) => (total += count))
}
