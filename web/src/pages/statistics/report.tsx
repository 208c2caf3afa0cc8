import type { ReactNode } from 'react'
import { CsvButton } from './csv-button.tsx'
import { Expectation } from './expectation.tsx'
import { Hours } from './hours.tsx'
import { OverTime, timeLabels } from './over-time.tsx'
import type { PartProps } from './part.ts'
import type { Table, ChallengeFigures, Report } from './queries.ts'
import styles from './statistics.module.css'
import { Categories, Countries, Divisions, Funnel } from './tables.tsx'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { Link } from 'react-router'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { categoryOf } from '../../ui/marks/categories.ts'
import { clothStyle } from '../../ui/marks/category-mark.tsx'
import plots from '../../ui/drawn/drawn.module.css'
import { PlotPanel } from '../../ui/drawn/plot-panel.tsx'
import { logShare } from '../../ui/drawn/scales.ts'
import { paths } from '../../paths.ts'
import { duration, percent } from './amounts.ts'
import { byExpectation } from './expected-order.ts'
import { Bars, BARS_HEIGHT } from './bars.tsx'
import { Legend } from './legend.tsx'

interface ReportViewProps extends Pick<PartProps, 'report' | 'linkOf'> {
  readonly isOrganiser: boolean
  /** Between the plots and the tables. */
  readonly children?: ReactNode
}

/** All figures of a report. */
export function ReportView({ report, linkOf, isOrganiser, children }: ReportViewProps) {
  const csv = (table: Table, title: string) => (
    <CsvButton table={table} title={title} isOrganiser={isOrganiser} />
  )
  const part = { report, csv, linkOf }
  return (
    <div className={styles.report}>
      <Totals total={report.total} />
      <OverTime {...part} />
      <Expectation {...part} />
      <FirstSolves {...part} />
      {children}
      <Categories {...part} />
      <div className={styles.pair}>
        <Hours {...part} />
        <Retention {...part} />
      </div>
      <div className={styles.pair}>
        <div className={styles.report}>
          <Funnel {...part} />
          <Divisions {...part} />
        </div>
        <Countries {...part} />
      </div>
    </div>
  )
}

const LANE_PX = 30
const AXIS_PX = 24
const START_PX = 52
/** A column at the end for challenges that no one solved. */
const UNSOLVED_PX = 74
const RADIUS = 5
/** Times on the axis; only those within the event are shown. */
const MARKS_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS)
MARKS_MS.push(...[1, 3, 8, 24, 72, 168].map((hours) => hours * HOUR_MS))

/** Time to the first solve of each challenge on a logarithmic axis, a lane for each category. */
function FirstSolves({ report, csv, linkOf }: PartProps) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const { challenges } = report
  const lanes = byExpectation(challenges)
  const solved = challenges.filter(({ firstSolve }) => firstSolve !== null)
  return (
    <PlotPanel
      title={text.firstSolves}
      aside={csv('challenges', text.firstSolves)}
      label={text.firstSolvesLabel(number(solved.length), number(challenges.length))}
      height={lanes.length * LANE_PX + AXIS_PX}
      empty={challenges.length === 0 ? text.nothingYet : undefined}
      draw={(width) => <Lanes lanes={lanes} width={width} />}
      table={{
        head: [text.challenge, text.firstSolve, text.firstTeam, text.median, text.solves],
        rows: challenges.toSorted(byTime).map(({ id, name, firstSolve, medianMs, solves }) => [
          <Link key={id} to={linkOf(id)}>
            <bdi>{name}</bdi>
          </Link>,
          firstSolve ? duration(firstSolve.afterMs) : text.noSolve,
          firstSolve ? (
            <Link key="team" to={paths.team(firstSolve.teamId)}>
              <bdi>{firstSolve.teamName}</bdi>
            </Link>
          ) : (
            '–'
          ),
          medianMs === null ? '–' : duration(medianMs),
          number(solves),
        ]),
      }}
    />
  )
}

function byTime(a: ChallengeFigures, b: ChallengeFigures): number {
  const last = Number.MAX_SAFE_INTEGER
  return (a.firstSolve?.afterMs ?? last) - (b.firstSolve?.afterMs ?? last)
}

interface LanesProps {
  readonly lanes: readonly (readonly ChallengeFigures[])[]
  readonly width: number
}

function Lanes({ lanes, width }: LanesProps) {
  const text = useMessages(statisticsMessages)
  const longest = Math.max(HOUR_MS, ...lanes.flat().map(({ firstSolve }) => firstSolve?.afterMs ?? 0))
  const marks = MARKS_MS.slice(0, MARKS_MS.findIndex((mark) => mark >= longest) + 1 || undefined)
  const ends = [marks[0] ?? MINUTE_MS, Math.max(longest, marks.at(-1) ?? longest)]
  const endX = width - UNSOLVED_PX
  const x = (ms: number) => START_PX + logShare(Math.max(ms, ends[0] ?? 1), ends) * (endX - START_PX - 12)
  const foot = lanes.length * LANE_PX
  return (
    <>
      {marks.map((mark, at) => (
        <g key={mark}>
          <path className={plots.grid} d={`M${Math.round(x(mark)) + 0.5} 0V${foot}`} />
          {(at % 2 === 0 || width > 600) && (
            <text x={x(mark)} y={foot + 16} textAnchor="middle">
              {duration(mark)}
            </text>
          )}
        </g>
      ))}
      <text x={width} y={foot + 16} textAnchor="end">
        {text.noSolve}
      </text>
      {lanes.map((lane, at) => {
        const category = categoryOf(lane[0]?.category ?? '')
        const y = at * LANE_PX + LANE_PX / 2
        const open = lane.filter(({ firstSolve }) => firstSolve === null)
        return (
          <g key={lane[0]?.category} style={clothStyle(category)}>
            <path className={styles.lane} d={`M${START_PX} ${y}H${endX}`} />
            <text x={0} y={y + 4}>
              {category.code}
            </text>
            {lane.map(({ id, name, firstSolve }) =>
              firstSolve ? (
                <circle key={id} className={styles.first} cx={x(firstSolve.afterMs)} cy={y} r={RADIUS}>
                  <title>{`${name}: ${duration(firstSolve.afterMs)}, ${firstSolve.teamName}`}</title>
                </circle>
              ) : null,
            )}
            {open.map(({ id, name }, place) => (
              <circle
                key={id}
                className={styles.open}
                cx={endX + 10 + (place * (UNSOLVED_PX - 20)) / Math.max(4, open.length - 1)}
                cy={y}
                r={RADIUS - 1}
              >
                <title>{`${name}: ${text.noSolve}`}</title>
              </circle>
            ))}
          </g>
        )
      })}
    </>
  )
}

/** The event in five numbers. */
function Totals({ total }: { readonly total: Report['total'] }) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const tiles = [
    [text.teams, total.teams, undefined],
    [text.active, total.active, text.share(shareOf(total.active, total.teams))],
    [text.solvers, total.solvers, text.shareOfActive(shareOf(total.solvers, total.active))],
    [text.submissions, total.submissions, undefined],
    [text.solves, total.solves, undefined],
  ] as const
  return (
    <dl className={styles.tiles} aria-label={text.figures}>
      {tiles.map(([name, value, small]) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd>
            {number(value)}
            {small !== undefined && <small>{small}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function shareOf(part: number, whole: number): string {
  return percent(whole === 0 ? 0 : part / whole)
}

/** Active teams of each period, those of the first hours at the foot of its bar. */
function Retention({ report, csv }: PartProps) {
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
