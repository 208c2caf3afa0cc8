import { HOUR_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useMessages, useFormat } from '../../../text/messages.ts'
import { Panel } from '../../../ui/states/panel.tsx'
import { overviewQuery, setChallengesQuery, statisticsQuery, type Statistics } from '../queries.ts'
import { releasesIn } from '../releases.ts'
import { DifficultyPlot } from './difficulty-plot.tsx'
import { MinutesPlot } from './minutes-plot.tsx'
import { Unsolved } from '../unsolved.tsx'
import styles from '../../../ui/drawn/drawn.module.css'
import type { CSSProperties } from 'react'
import { categoryOf, compareCategories } from '../../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../../ui/marks/category-mark.tsx'
import { byLocale } from '../../../text/page-locale.ts'
import { PlotPanel } from '../../../ui/drawn/plot-panel.tsx'
import { linearTicks } from '../../../ui/drawn/scales.ts'

/** All plots of the dashboard. Loaded when the event has begun. */
export function Plots() {
  const text = useMessages(dashboardMessages)
  const overview = useQuery(overviewQuery)
  const statistics = useQuery(statisticsQuery)
  const { data } = statistics
  const challenges = useQuery(setChallengesQuery).data ?? []
  const now = overview.data?.now ?? 0
  return (
    <>
      {overview.data ? (
        <MinutesPlot
          overview={overview.data}
          releases={releasesIn(challenges, { from: now - HOUR_MS, to: now })}
        />
      ) : (
        <Panel title={text.submissionsPerMinute}>
          <Waiting query={overview} rows={4} />
        </Panel>
      )}
      {!data && (
        <Panel title={text.difficulty}>
          <Waiting query={statistics} rows={6} />
        </Panel>
      )}
      {data && (
        <>
          <div className={styles.pair}>
            <DifficultyPlot statistics={data} />
            <div className={styles.stack}>
              <SolvesPlot statistics={data} />
              <Panel title={text.unsolved}>
                <Unsolved challenges={data.challenges} />
              </Panel>
            </div>
          </div>
          {data.categories.length > 0 && <CategoryBalance statistics={data} />}
        </>
      )}
    </>
  )
}

/** Challenges, points and solves of each category. A table with bars, so it needs no second form. */
function CategoryBalance({ statistics }: { readonly statistics: Statistics }) {
  const text = useMessages(dashboardMessages)
  const all = statistics.categories.toSorted((a, b) => compareCategories(a.category, b.category))
  const maxOf = (of: 'challenges' | 'points' | 'solves') => Math.max(1, ...all.map((each) => each[of]))
  const most = { challenges: maxOf('challenges'), points: maxOf('points'), solves: maxOf('solves') }
  return (
    <Panel title={text.categories} className={styles.panel}>
      <div className={styles.scroller} tabIndex={0} role="group" aria-label={text.categories}>
        <table className={styles.balance}>
          <thead>
            <tr>
              <th scope="col">{text.category}</th>
              <th scope="col">{text.challenges}</th>
              <th scope="col">{text.points}</th>
              <th scope="col">{text.solves}</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ category, challenges, points, solves }) => (
              <tr key={category} style={clothStyle(categoryOf(category))}>
                <th scope="row">
                  <CategoryMark name={category} />
                </th>
                <Bar value={challenges} most={most.challenges} />
                <Bar value={points} most={most.points} />
                <Bar value={solves} most={most.solves} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function Bar({ value, most }: { readonly value: number; readonly most: number }) {
  const { number } = useFormat()
  return (
    <td>
      <span className={styles.bar} style={{ '--share': value / most } as CSSProperties}>
        {number(value)}
      </span>
    </td>
  )
}

const HEIGHT = 220
const AXIS_PX = 22
const TOP_PX = 16

const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

/** All solves since the start, as a stepped line. */
function SolvesPlot({ statistics: { solves, now } }: { readonly statistics: Statistics }) {
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
