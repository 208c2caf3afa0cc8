import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useId } from 'react'
import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { byLocale } from '../../../text/page-locale.ts'
import type { Overview } from '../queries.ts'
import type { Release } from '../releases.ts'
import { PlotPanel } from '../../../ui/drawn/plot-panel.tsx'
import styles from '../../../ui/drawn/drawn.module.css'
import { linearTicks } from '../../../ui/drawn/scales.ts'
import { ValueAxis } from '../../../ui/drawn/value-axis.tsx'

const HEIGHT = 176
const AXIS_PX = 22
const TOP_PX = 10
const START_PX = 38
/** Minutes between the labels of the time axis. */
const LABEL_EVERY = 15
/** Room for a label before the last one. */
const NOW_PX = 110

const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

interface MinutesPlotProps {
  readonly overview: Overview
  /** Those of the last hour. */
  readonly releases: readonly Release[]
}

/** Submissions of the last hour: a bar per minute, the correct ones at its foot, and a mark at each release. */
export function MinutesPlot({ overview, releases }: MinutesPlotProps) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const { now, submissionsPerMinute: counts, correctPerMinute: correct } = overview
  const last = counts.length - 1
  const timeOf = (at: number) => times().format(now - (last - at) * MINUTE_MS)
  const marks = releases.map(({ at, challenges }) => ({
    at: last - (now - at) / MINUTE_MS,
    name: text.releasedHere(text.released(challenges, number(challenges))),
  }))
  const hour = text.lastHour(number(sumOf(counts)), number(sumOf(correct)))
  return (
    <PlotPanel
      title={text.submissionsPerMinute}
      aside={
        <span className={styles.legend}>
          <span>{text.correct}</span>
          <span className={styles.wrongKey}>{text.notCorrect}</span>
        </span>
      }
      label={`${text.perMinute}: ${hour}`}
      height={HEIGHT}
      draw={(width) => <Bars {...{ width, counts, correct, timeOf, marks }} />}
      table={{
        head: [text.time, text.allSubmissions, text.correct],
        rows: counts.map((count, at) => [timeOf(at), number(count), number(correct[at] ?? 0)]),
      }}
    >
      <p className="pn-flat pn-muted pn-small">{hour}</p>
    </PlotPanel>
  )
}

interface BarsProps {
  readonly width: number
  readonly counts: readonly number[]
  readonly correct: readonly number[]
  readonly timeOf: (at: number) => string
  /** Releases; `at` is in minutes from the left. */
  readonly marks: readonly { readonly at: number; readonly name: string }[]
}

function Bars({ width, counts, correct, timeOf, marks }: BarsProps) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const hatch = useId()
  const ticks = linearTicks(Math.max(...counts))
  const most = ticks.at(-1) ?? 1
  const foot = HEIGHT - AXIS_PX
  const y = (count: number) => foot - (count / most) * (foot - TOP_PX)
  const step = (width - START_PX) / counts.length
  const x = (at: number) => START_PX + at * step
  const bar = (at: number, from: number, to: number) => ({
    x: x(at) + step * 0.1,
    y: y(to),
    width: step * 0.8,
    height: y(from) - y(to),
  })
  return (
    <>
      <pattern
        id={hatch}
        width={5}
        height={5}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
        className={styles.hatch}
      >
        <path d="M0 0h5v5H0Z" opacity={0.42} />
        <path d="M0 0h2v5H0Z" opacity={0.75} />
      </pattern>
      <ValueAxis ticks={ticks} y={y} label={number} start={START_PX} width={width} />
      {counts.map((count, at) => {
        const right = correct[at] ?? 0
        return (
          <g key={at}>
            <title>{`${timeOf(at)}: ${text.minute(number(count), number(right))}`}</title>
            <rect {...bar(at, right, count)} fill={`url(#${hatch})`} />
            <rect {...bar(at, 0, right)} className={styles.right} />
          </g>
        )
      })}
      {counts.map(
        (_, at) =>
          at % LABEL_EVERY === 0 &&
          x(at) < width - NOW_PX && (
            <text key={at} x={x(at)} y={HEIGHT - 4}>
              {timeOf(at)}
            </text>
          ),
      )}
      <text x={width} y={HEIGHT - 4} textAnchor="end">
        {text.now}
      </text>
      {marks.map(({ at, name }) => (
        <ReleaseMark key={at} name={name} x={x(at)} isLate={x(at) > width / 2} />
      ))}
    </>
  )
}

interface ReleaseMarkProps {
  readonly name: string
  readonly x: number
  /** Whether the name is on its left. */
  readonly isLate: boolean
}

function ReleaseMark({ name, x, isLate }: ReleaseMarkProps) {
  return (
    <g className={styles.release}>
      <path d={`M${Math.round(x) + 0.5} 0V${HEIGHT - AXIS_PX}`} />
      <text x={isLate ? x - 6 : x + 6} y={10} textAnchor={isLate ? 'end' : 'start'}>
        {name}
      </text>
    </g>
  )
}
