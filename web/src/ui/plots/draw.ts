import UPlot, { type AlignedData, type Options, type Series } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { pageLocale } from '../../text/page-locale.ts'
import { lineColour, shortened, timeLabels } from './labels.ts'

export interface Line {
  readonly name: string
  /** Ascending by x: Unix milliseconds, or any number. */
  readonly points: readonly (readonly [x: number, y: number])[]
  /** The own team: accent colour and a thicker line. */
  readonly isOwn?: boolean
  /** Behind the lines that matter: thin, grey and without a label. */
  readonly isMinor?: boolean
}

interface Stroked extends Line {
  /** Name of a theme colour. */
  readonly colour: string
  readonly dash: number[]
  /** Pixels. */
  readonly width: number
}

export interface Drawing {
  readonly kind: 'steps' | 'curve'
  readonly lines: readonly Line[]
  readonly height: number
  /** The x axis is time. Points after `lastX` are moved to it. */
  readonly isTime: boolean
  readonly lastX?: number
  /** Labels at the ends of the lines, if there is room. */
  readonly endLabels: boolean
  /** In a corner of another view: less room for the axes, and no zoom. */
  readonly isSmall?: boolean
  /** Called with the x value at the cursor, and with null when it leaves. */
  readonly onCursor?: (x: number | null) => void
  /** Called when the shown part of the x axis changes. */
  readonly onZoom?: (isZoomed: boolean) => void
}

export interface Plot {
  /** Moves the cursor by a number of points; infinity moves it to an end. */
  step(by: number): void
  /** Shows this part of the shown x axis, around the cursor: 0.5 is half of it. */
  zoom(part: number): void
  /** Shows the whole x axis again. */
  resetZoom(): void
  destroy(): void
}

/** Combined with ten colours, to distinguish lines without colour. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]] as const
const LABEL_PX = 120
/** Two lines of text. */
const SMALL_AXIS_PX = 46
/** Width of a time label with AM or PM, plus a gap. */
const TIME_PX = 80
/** Half a label extends beyond its tick, also at the end of the axis. */
const LABEL_HALF_PX = { time: 32, number: 12 } as const

export function stroked(line: Line, at: number): Stroked {
  if (line.isOwn) return { ...line, colour: 'accent', dash: [], width: 3 }
  if (line.isMinor) return { ...line, colour: 'border', dash: [], width: 0.75 }
  return { ...line, colour: lineColour(at), dash: [...(DASHES[at % DASHES.length] ?? [])], width: 2 }
}

/** Draws a plot as wide as its element, and follows the element's width. */
export function draw(place: HTMLElement, drawing: Drawing): Plot {
  const lines = drawing.lines
    .map(stroked)
    .sort((a, b) => Number(b.isMinor ?? false) - Number(a.isMinor ?? false))
  const data = alignedData(drawing, lines)
  const plot = new UPlot(optionsOf(place, drawing, lines), data, place)
  const follow = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: drawing.height }))
  follow.observe(place)
  const xs = data[0]
  return {
    step(by) {
      const from = plot.cursor.idx ?? (by > 0 ? -1 : xs.length)
      const to = Math.min(Math.max(from + by, 0), xs.length - 1)
      plot.setCursor({ left: plot.valToPos(xs[to] ?? 0, 'x'), top: 0 })
    },
    zoom(part) {
      const { min = 0, max = 0 } = plot.scales['x'] ?? {}
      const at = xs[plot.cursor.idx ?? -1] ?? (min + max) / 2
      plot.setScale('x', { min: at - (at - min) * part, max: at + (max - at) * part })
    },
    resetZoom() {
      plot.setScale('x', { min: xs[0] ?? 0, max: xs.at(-1) ?? 0 })
    },
    destroy() {
      follow.disconnect()
      plot.destroy()
    },
  }
}

/** All x values of all lines, ascending, and each line's latest value at that x; null before its first. */
function alignedData(
  { isTime, lastX = Infinity }: Drawing,
  lines: readonly Line[],
): [number[], ...(number | null)[][]] {
  const clamp = (x: number) => Math.min(x, lastX)
  const xs = Array.from(new Set(lines.flatMap(({ points }) => points.map(([x]) => clamp(x))))).sort(
    (a, b) => a - b,
  )
  const ys = lines.map(({ points }) => {
    let next = 0
    return xs.map((x) => {
      while (next < points.length && clamp(points[next]?.[0] ?? Infinity) <= x) next += 1
      return points[next - 1]?.[1] ?? null
    })
  })
  return [isTime ? xs.map((x) => x / 1000) : xs, ...ys]
}

function optionsOf(place: HTMLElement, drawing: Drawing, lines: readonly Stroked[]): Options {
  const colour = (name: string) => getComputedStyle(place).getPropertyValue(`--pn-${name}`).trim() || 'gray'
  const axis = {
    font: `12px ${getComputedStyle(place).fontFamily}`,
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line') },
  }
  return {
    width: place.clientWidth,
    height: drawing.height,
    padding: [8, drawing.endLabels ? LABEL_PX : LABEL_HALF_PX[drawing.isTime ? 'time' : 'number'], 0, 0],
    scales: { x: { time: drawing.isTime } },
    legend: { show: false },
    axes: [
      drawing.isTime
        ? { ...axis, values: timeValues, space: TIME_PX, ...(drawing.isSmall ? { size: SMALL_AXIS_PX } : {}) }
        : { ...axis, values: numberValues },
      { ...axis, values: numberValues, size: 60 },
    ],
    cursor: { drag: { x: !drawing.isSmall, y: false } },
    series: [{}, ...lines.map((line) => seriesOf(drawing.kind, line, colour(line.colour)))],
    hooks: {
      setScale: [
        ({ scales, data: [xs] }, name) => {
          const { min, max } = scales['x'] ?? {}
          if (name !== 'x' || typeof min !== 'number' || typeof max !== 'number') return
          drawing.onZoom?.(min > (xs[0] ?? min) || max < (xs.at(-1) ?? max))
        },
      ],
      setCursor: [
        ({ cursor, data }) => {
          const x = cursor.idx === null || cursor.idx === undefined ? undefined : data[0][cursor.idx]
          drawing.onCursor?.(x === undefined ? null : x * (drawing.isTime ? 1000 : 1))
        },
      ],
      draw: drawing.endLabels
        ? [
            (plot) =>
              labelEnds(
                plot,
                lines.map((line) => (line.isMinor ? null : colour(line.colour))),
              ),
          ]
        : [],
    },
  }
}

function timeValues(...[, splits, , , stepS]: [UPlot, number[], number, number, number]): string[] {
  return timeLabels(splits, stepS, pageLocale())
}

/** Formats in the language of the page, which can differ from the browser's. */
function numberValues(...[, splits]: [UPlot, number[]]): string[] {
  const number = new Intl.NumberFormat(pageLocale())
  return splits.map((each) => number.format(each))
}

function seriesOf(kind: Drawing['kind'], { name, dash, width }: Stroked, stroke: string): Series {
  const base = { label: name, stroke, width, points: { show: false } }
  if (kind === 'curve') return { ...base, dash }
  const path = UPlot.paths.stepped?.({ align: 1 })
  return { ...base, ...(path ? { paths: path } : {}), dash }
}

/**
 * Draws line names at their last values that are shown, in the line's colour (null: no name), spread to avoid
 * overlaps.
 */
function labelEnds(plot: UPlot, colours: readonly (string | null)[]) {
  const scale = devicePixelRatio
  const rows = plot.series.slice(1).flatMap((series, at) => {
    const y = lastNumber(plot.data, at, plot.scales['x']?.max)
    const name = String(series.label)
    const colour = colours[at] ?? null
    return y === null || colour === null ? [] : [{ name, y: plot.valToPos(y, 'y', true), colour }]
  })
  plot.ctx.save()
  plot.ctx.font = `500 ${12 * scale}px ${getComputedStyle(plot.root.parentElement ?? plot.root).fontFamily}`
  plot.ctx.textBaseline = 'middle'
  plot.ctx.textAlign = 'left'
  const step = 14 * scale
  // The axis labels are below this.
  const bottom = plot.bbox.top + plot.bbox.height
  let lowest = -Infinity
  for (const [at, { name, y, colour }] of rows.sort((a, b) => a.y - b.y).entries()) {
    // Leave room for the labels below this one.
    const last = bottom - step * (rows.length - at - 0.5)
    lowest = Math.max(Math.min(y, last), lowest + step)
    const shown = shortened(name, (text) => plot.ctx.measureText(text).width <= (LABEL_PX - 10) * scale)
    plot.ctx.fillStyle = colour
    plot.ctx.fillText(shown, plot.bbox.left + plot.bbox.width + 6 * scale, lowest)
  }
  plot.ctx.restore()
}

/** The value at the right end of the shown part of the x axis, `maxX`; null if the line begins later. */
function lastNumber([xs, ...lines]: AlignedData, at: number, maxX = Infinity): number | null {
  const values = lines[at] ?? []
  for (let row = values.length - 1; row >= 0; row -= 1) {
    const value = values[row]
    if (typeof value === 'number' && (xs[row] ?? 0) <= maxX) return value
  }
  return null
}
