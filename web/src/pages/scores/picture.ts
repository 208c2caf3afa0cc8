import type { Line } from '../../ui/plots/draw.ts'
import { placeLines } from './graph-lines.ts'

export interface PictureRow {
  readonly place: string
  readonly name: string
  readonly score: string
  readonly isOwn: boolean
}

export interface Picture {
  readonly title: string
  /** Division, time, and whether the standings are provisional or final. */
  readonly subtitle: string
  readonly rows: readonly PictureRow[]
  /** Empty for no graph. */
  readonly lines: readonly Line[]
  readonly now: number
  readonly theme: 'dark' | 'light'
}

const WIDTH = 1600
const MARGIN = 64
const HEAD = 176
const GRAPH = 360
const ROW = 52
/** More rows continue in a second column. */
const ROWS_PER_COLUMN = 25
const LINE_COLOURS = 'web crypto pwn forensics rev osint misc blockchain ppc hardware'.split(' ')
const DASHES = [[], [12, 6], [3, 5], [14, 5, 3, 5]]

/** Draws the scoreboard (not the page) 1600 pixels wide; the height depends on the content. */
export function drawPicture(canvas: HTMLCanvasElement, picture: Picture): void {
  const columns = Math.max(1, Math.ceil(picture.rows.length / ROWS_PER_COLUMN))
  const perColumn = Math.ceil(picture.rows.length / columns)
  const graphPx = picture.lines.length > 0 ? GRAPH : 0
  canvas.width = WIDTH
  canvas.height = HEAD + graphPx + perColumn * ROW + MARGIN
  const context = canvas.getContext('2d')
  if (!context) return
  const colour = coloursOf(picture.theme)
  context.fillStyle = colour('bg')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'middle'
  drawText(context, {
    text: picture.title,
    x: MARGIN,
    y: 72,
    font: '700 48px',
    colour: colour('text'),
    width: WIDTH - 2 * MARGIN,
  })
  drawText(context, {
    text: picture.subtitle,
    x: MARGIN,
    y: 124,
    font: '400 26px',
    colour: colour('muted'),
    width: WIDTH - 2 * MARGIN,
  })
  if (graphPx > 0) drawLines(context, picture, colour)
  const gap = 48
  const width = (WIDTH - 2 * MARGIN - gap * (columns - 1)) / columns
  for (const [at, row] of picture.rows.entries()) {
    const left = MARGIN + Math.floor(at / perColumn) * (width + gap)
    drawRow(context, row, { left, top: HEAD + graphPx + (at % perColumn) * ROW, width, colour })
  }
}

type Colour = (name: string) => string

/** The colours of a theme, independent of the page's own theme. */
function coloursOf(theme: Picture['theme']): Colour {
  const probe = document.createElement('div')
  probe.dataset['mantineColorScheme'] = theme
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const names = [
    'bg',
    'raised',
    'line',
    'text',
    'muted',
    'accent',
    ...LINE_COLOURS.map((name) => `cat-${name}`),
  ]
  const colours = new Map(names.map((name) => [name, style.getPropertyValue(`--pn-${name}`).trim()]))
  probe.remove()
  return (name) => colours.get(name) ?? 'gray'
}

interface Text {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly font: string
  readonly colour: string
  /** Longer text is truncated. */
  readonly width: number
  readonly align?: CanvasTextAlign
}

function drawText(
  context: CanvasRenderingContext2D,
  { text, x, y, font, colour, width, align = 'left' }: Text,
): void {
  context.font = `${font} 'Archivo Variable', system-ui, sans-serif`
  context.fillStyle = colour
  context.textAlign = align
  let shown = text
  while (shown.length > 1 && context.measureText(shown).width > width) shown = `${shown.slice(0, -2)}…`
  context.fillText(shown, x, y)
}

interface RowPlace {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly colour: Colour
}

function drawRow(
  context: CanvasRenderingContext2D,
  row: PictureRow,
  { left, top, width, colour }: RowPlace,
): void {
  const middle = top + ROW / 2
  if (row.isOwn) {
    context.fillStyle = colour('raised')
    context.fillRect(left, top, width, ROW)
    context.fillStyle = colour('accent')
    context.fillRect(left, top, 5, ROW)
  }
  context.fillStyle = colour('line')
  context.fillRect(left, top + ROW - 1, width, 1)
  const base = { y: middle, colour: colour('text') }
  drawText(context, { ...base, text: row.place, x: left + 92, font: '700 26px', width: 80, align: 'right' })
  drawText(context, { ...base, text: row.name, x: left + 116, font: '500 26px', width: width - 116 - 170 })
  drawText(context, {
    ...base,
    text: row.score,
    x: left + width - 16,
    font: '700 26px',
    width: 150,
    align: 'right',
  })
}

function drawLines(context: CanvasRenderingContext2D, { lines, now }: Picture, colour: Colour): void {
  const box = { left: MARGIN, top: HEAD, width: WIDTH - 2 * MARGIN - 240, height: GRAPH - 56 }
  context.fillStyle = colour('line')
  for (let step = 0; step <= 4; step += 1)
    context.fillRect(box.left, box.top + (box.height * step) / 4, box.width, 1)
  let lowest = -Infinity
  for (const [at, line] of placeLines(lines, now, box).entries()) {
    context.strokeStyle = line.isOwn
      ? colour('accent')
      : colour(`cat-${LINE_COLOURS[at % LINE_COLOURS.length]}`)
    context.lineWidth = line.isOwn ? 5 : 3
    context.setLineDash(line.isOwn ? [] : (DASHES[at % DASHES.length] ?? []))
    context.stroke(new Path2D(line.path))
    lowest = Math.max(line.endY, lowest + 24)
    drawText(context, {
      text: line.name,
      x: box.left + box.width + 16,
      y: lowest,
      font: '400 20px',
      colour: colour('text'),
      width: 220,
    })
  }
  context.setLineDash([])
}
