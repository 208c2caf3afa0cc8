import { useMemo, useState } from 'react'
import { cx } from '../cx.ts'
import { byLocale } from '../../text/page-locale.ts'
import { useUiMessages } from '../ui-messages.ts'
import { useMedia } from '../use-media.ts'
import { stroked, type Drawing, type Line } from './draw.ts'
import { BarePlot, PlotFrame } from './plot-frame.tsx'
import styles from './plots.module.css'

/** From this width on, labels at the line ends replace the key. */
const ROOM_FOR_LABELS = '(min-width: 768px)'
/** Maximum rows of the table equivalent; longer data is sampled evenly. */
const MAX_TABLE_ROWS = 60

const numbers = byLocale((locale) => new Intl.NumberFormat(locale))
const times = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }),
)

interface ScoreGraphProps {
  readonly label: string
  readonly lines: readonly Line[]
  /** Unix milliseconds; the right edge of the plot. */
  readonly now: number
  readonly height?: number
}

/** The lines alone, for a corner of the table that has the same scores. */
export function SmallScoreGraph({ lines, now, height = 120 }: Omit<ScoreGraphProps, 'label'>) {
  const drawing = useMemo<Drawing>(
    () => ({ kind: 'steps', lines, height, isTime: true, lastX: now, endLabels: false, isSmall: true }),
    [lines, height, now],
  )
  return <BarePlot drawing={drawing} />
}

/** Score graph in steps; the viewer's team in the accent colour. The cursor shows the ranking at its time. */
export function ScoreGraph({ label, lines, now, height = 220 }: ScoreGraphProps) {
  const [at, setAt] = useState<number | null>(null)
  const hasRoom = useMedia(ROOM_FOR_LABELS)
  // A single line needs no label.
  const endLabels = hasRoom && lines.length > 1
  const drawing = useMemo<Drawing>(
    () => ({ kind: 'steps', lines, height, isTime: true, lastX: now, endLabels, onCursor: setAt }),
    [lines, height, now, endLabels],
  )
  return (
    <PlotFrame
      label={label}
      drawing={drawing}
      caption={
        <>
          {at !== null && <Names {...{ lines, at, now }} />}
          {!hasRoom && lines.length > 1 && <Names {...{ lines, now }} />}
        </>
      }
      table={<LineTable lines={lines} format={timeText} />}
    />
  )
}

interface NamesProps {
  readonly lines: readonly Line[]
  /** Time at the cursor, in Unix milliseconds. */
  readonly at?: number
  readonly now: number
}

/**
 * The scores at the cursor, over the half of the plot where the cursor is not. Without a time, the names of the lines that
 * matter, where the plot has no room for them.
 */
function Names({ lines, at, now }: NamesProps) {
  const order = lines.map((line, place) => ({ line, place, score: valueAt(line, at ?? now) }))
  if (at !== undefined) order.sort((a, b) => b.score - a.score)
  const isLate = at !== undefined && at - (lines[0]?.points[0]?.[0] ?? at) > now - at
  return (
    <div className={cx(at === undefined ? styles.key : styles.ranking, isLate && styles.early)}>
      {at !== undefined && <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>}
      {order.map(
        ({ line, place, score }) =>
          (at !== undefined || !line.isMinor) && (
            <span key={line.name} className={cx(styles.rank, line.isOwn && styles.own)}>
              <Sign line={line} at={place} />
              <bdi>{line.name}</bdi> {at !== undefined && <span>{numbers().format(score)}</span>}
            </span>
          ),
      )}
    </div>
  )
}

/** Sample of a line. */
function Sign({ line, at }: { readonly line: Line; readonly at: number }) {
  const { colour, dash, width } = stroked(line, at)
  return (
    <svg viewBox="0 0 24 4" width={24} height={4} aria-hidden="true">
      <path d="M0 2h24" stroke={`var(--pn-${colour})`} strokeWidth={width} strokeDasharray={dash.join(' ')} />
    </svg>
  )
}

interface DecayPlotProps {
  readonly label: string
  /** Points by number of solves. */
  readonly values: readonly (readonly [solves: number, points: number])[]
  readonly columns: readonly [solves: string, points: string]
  /** Current state of the challenge as text. */
  readonly note?: string | undefined
  readonly height?: number
}

/** Points of a challenge by number of solves. */
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

interface LineTableProps {
  readonly lines: readonly Line[]
  readonly head?: string
  readonly format: (x: number) => string
}

function LineTable({ lines, head, format }: LineTableProps) {
  const messages = useUiMessages()
  const all = Array.from(new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))).sort((a, b) => a - b)
  const step = Math.max(1, Math.ceil(all.length / MAX_TABLE_ROWS))
  const rows = all.filter((_, at) => at % step === 0 || at === all.length - 1)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{head ?? messages.time}</th>
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

/** The value of a line at x: that of its latest point, or 0 before the first. */
function valueAt({ points }: Line, x: number): number {
  return points.findLast(([at]) => at <= x)?.[1] ?? 0
}

function timeText(at: number): string {
  return times().format(at)
}
