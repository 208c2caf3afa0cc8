import { useMemo, useState, useSyncExternalStore } from 'react'
import { cx } from '../cx.ts'
import { byLocale } from '../page-locale.ts'
import { useWords } from '../words.ts'
import { strokeOf, type Drawing, type Line } from './draw.ts'
import { PlotFrame } from './plot-frame.tsx'
import styles from './plots.module.css'

/** End labels stand instead of a legend from here on. */
const ROOM_FOR_LABELS = '(min-width: 1024px)'
/** Rows of the table that stands for a plot: more are thinned out evenly. */
const MOST_TABLE_ROWS = 60

const numbers = byLocale((locale) => new Intl.NumberFormat(locale))
const times = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }),
)

interface ScoreGraphProps {
  readonly label: string
  readonly lines: readonly Line[]
  /** Unix milliseconds: later points are drawn here. */
  readonly now: number
  readonly height?: number
}

/** Scores over time in steps; the own team in the accent colour. The cursor tells the order at its time. */
export function ScoreGraph({ label, lines, now, height = 220 }: ScoreGraphProps) {
  const [at, setAt] = useState<number | null>(null)
  const hasRoom = useSyncExternalStore(followRoom, () => matchMedia(ROOM_FOR_LABELS).matches)
  // A line alone needs no name to be told from others.
  const endLabels = hasRoom && lines.length > 1
  const drawing = useMemo<Drawing>(
    () => ({ kind: 'steps', lines, height, isTime: true, lastX: now, endLabels, onCursor: setAt }),
    [lines, height, now, endLabels],
  )
  const moment = at ?? now
  const order = lines
    .map((line, place) => ({ line, place, score: valueAt(line, moment) }))
    .sort((a, b) => b.score - a.score)
  const caption = (
    <div className={styles.ranking}>
      <span className={styles.moment}>
        {at !== null && <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>}
      </span>
      {order.map(({ line, place, score }) => (
        <span key={line.name} className={cx(styles.rank, line.isOwn && styles.own)}>
          <Sign line={line} at={place} />
          <bdi>{line.name}</bdi> <span>{numbers().format(score)}</span>
        </span>
      ))}
    </div>
  )
  return (
    <PlotFrame
      label={label}
      drawing={drawing}
      caption={caption}
      table={<LineTable lines={lines} format={timeText} />}
    />
  )
}

/** A piece of the line, as it is drawn. */
function Sign({ line, at }: { readonly line: Line; readonly at: number }) {
  const { colour, dash, width } = strokeOf(line, at)
  return (
    <svg viewBox="0 0 24 4" width={24} height={4} aria-hidden="true">
      <path d="M0 2h24" stroke={`var(--pn-${colour})`} strokeWidth={width} strokeDasharray={dash.join(' ')} />
    </svg>
  )
}

function followRoom(listener: () => void) {
  const query = matchMedia(ROOM_FOR_LABELS)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

interface DecayPlotProps {
  readonly label: string
  /** Points by number of solves. */
  readonly values: readonly (readonly [solves: number, points: number])[]
  readonly columns: readonly [solves: string, points: string]
  /** Where the challenge stands, in words. */
  readonly note?: string | undefined
  readonly height?: number
}

/** What a challenge is worth after so many solves. */
export function DecayPlot({ label, values, columns, note, height = 180 }: DecayPlotProps) {
  const lines = useMemo<Line[]>(() => [{ name: columns[1], points: values, isOwn: true }], [values, columns])
  const drawing = useMemo<Drawing>(
    () => ({ kind: 'curve', lines, height, isTime: false, endLabels: false }),
    [lines, height],
  )
  return (
    <PlotFrame
      label={label}
      drawing={drawing}
      caption={note}
      table={<LineTable lines={lines} head={columns[0]} format={String} />}
    />
  )
}

interface BarsProps {
  readonly label: string
  /** One bar per line and step of time; later lines stand in front. */
  readonly lines: readonly Line[]
  readonly height?: number
}

/** Numbers per step of time. */
export function Bars({ label, lines, height = 120 }: BarsProps) {
  const drawing = useMemo<Drawing>(
    () => ({ kind: 'bars', lines, height, isTime: true, endLabels: false }),
    [lines, height],
  )
  return <PlotFrame label={label} drawing={drawing} table={<LineTable lines={lines} format={timeText} />} />
}

interface LineTableProps {
  readonly lines: readonly Line[]
  readonly head?: string
  readonly format: (x: number) => string
}

function LineTable({ lines, head, format }: LineTableProps) {
  const words = useWords()
  const all = Array.from(new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))).sort((a, b) => a - b)
  const step = Math.max(1, Math.ceil(all.length / MOST_TABLE_ROWS))
  const rows = all.filter((_, at) => at % step === 0 || at === all.length - 1)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{head ?? words.time}</th>
          {lines.map(({ name }) => (
            <th key={name} scope="col">
              <bdi>{name}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((x) => (
          <tr key={x}>
            <th scope="row">{format(x)}</th>
            {lines.map((line) => (
              <td key={line.name}>{numbers().format(valueAt(line, x))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A line's value at x: that of its last point not after it; 0 before the first. */
function valueAt({ points }: Line, x: number): number {
  return points.findLast(([at]) => at <= x)?.[1] ?? 0
}

function timeText(at: number): string {
  return times().format(at)
}
