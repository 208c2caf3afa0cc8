import { useId } from 'react'
import { useFormat } from '../../text/messages.ts'
import { linearTicks } from '../../ui/drawn/scales.ts'
import { ValueAxis } from '../../ui/drawn/value-axis.tsx'
import plots from '../../ui/drawn/drawn.module.css'
import styles from './statistics.module.css'

export const BARS_HEIGHT = 200
const AXIS_PX = 22
const TOP_PX = 10
/** Room for the axis of values. */
export const START_PX = 42

interface BarsProps {
  readonly width: number
  /** The solid part at the foot of each bar, and what is above it. */
  readonly foot: readonly number[]
  readonly rest: readonly number[]
  /** `warm`: what is above are failures; `cool`: it is another group. */
  readonly tone: 'warm' | 'cool'
  /** The values of a bar as text. */
  readonly describe: (at: number) => string
  /** Places on the axis, in bars from the left, and their labels. */
  readonly labels: readonly (readonly [at: number, label: string])[]
}

/** Stacked bars at equal steps; the upper part is hatched, so that it differs without colour. */
export function Bars({ width, foot, rest, tone, describe, labels }: BarsProps) {
  const { number } = useFormat()
  const hatch = useId()
  const totals = foot.map((value, at) => value + (rest[at] ?? 0))
  const ticks = linearTicks(Math.max(0, ...totals))
  const most = ticks.at(-1) ?? 1
  const ground = BARS_HEIGHT - AXIS_PX
  const y = (value: number) => ground - (value / most) * (ground - TOP_PX)
  const step = (width - START_PX) / Math.max(1, totals.length)
  const x = (at: number) => START_PX + at * step
  const bar = (at: number, from: number, to: number) => ({
    x: x(at) + step * 0.08,
    y: y(to),
    width: step * 0.84,
    height: Math.max(0, y(from) - y(to)),
  })
  return (
    <>
      <pattern
        id={hatch}
        width={5}
        height={5}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
        className={styles[tone]}
      >
        <path d="M0 0h5v5H0Z" opacity={0.36} />
        <path d="M0 0h2v5H0Z" opacity={0.7} />
      </pattern>
      <ValueAxis ticks={ticks} y={y} label={number} start={START_PX} width={width} />
      {totals.map((total, at) => (
        <g key={at}>
          <title>{describe(at)}</title>
          <rect {...bar(at, foot[at] ?? 0, total)} fill={`url(#${hatch})`} />
          <rect {...bar(at, 0, foot[at] ?? 0)} className={tone === 'warm' ? plots.right : styles.own} />
        </g>
      ))}
      {labels.map(([at, label]) => (
        <text
          key={at}
          x={x(at)}
          y={BARS_HEIGHT - 5}
          textAnchor={at === 0 ? 'start' : at >= totals.length ? 'end' : 'middle'}
        >
          {label}
        </text>
      ))}
    </>
  )
}

/** Places of labels, evenly from the first to the last edge, with at most `most` distances between them. */
export function labelPlaces(bars: number, most: number): number[] {
  const steps = Math.max(1, Math.min(most, bars))
  return Array.from({ length: steps + 1 }, (_, at) => (at * bars) / steps)
}
