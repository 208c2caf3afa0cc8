import { swallowtailPath, pennantPath } from '../../../ui/marks/cloth-shapes.ts'
import type { Line } from '../../../ui/plots/draw.ts'
import { lineColour, LINE_COLOURS, shortened } from '../../../ui/plots/labels.ts'
import { placeLines } from '../graph/graph-lines.ts'
import type { Drawing, Images } from './picture-images.ts'

export interface PictureRow {
  readonly id: string
  /** Null without a rank. */
  readonly rank: number | null
  readonly place: string
  readonly name: string
  readonly score: string
  readonly isOwn: boolean
  readonly avatarUrl: string | null
  readonly countryCode: string | null
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
  /** Writes a score. */
  readonly number: (score: number) => string
}

/** Shown at half of this width in a chat or a feed, the smallest text is still 10 pixels high. */
const WIDTH = 1200
const MARGIN = 48
const HEAD = 196
const GRAPH = 360
const ROW = 58
const FOOT = 40
/** More rows are in two columns. */
const ROWS_PER_COLUMN = 13
const COLUMN_GAP = 40
const BUNTING = { cloths: 30, half: 13, height: 34, sag: 22 }
const LABEL_WIDTH = 236
const LABEL_HEIGHT = 27
const AXIS_WIDTH = 84
/** At most one more label than this. */
const AXIS_STEPS = 4
const DASHES = [[], [12, 6], [3, 5], [14, 5, 3, 5]]
const MEDALS = 3
const FAMILIES = { display: "'Archivo Variable'", body: "'Inter Variable'" }

/** Draws the scoreboard (not the page) 1200 pixels wide; the height depends on the content. */
export function drawPicture(canvas: HTMLCanvasElement, picture: Picture, images: Images): void {
  const columns = picture.rows.length > ROWS_PER_COLUMN ? 2 : 1
  const perColumn = Math.ceil(picture.rows.length / columns)
  const graphPx = picture.lines.length > 0 ? GRAPH : 0
  canvas.width = WIDTH
  canvas.height = HEAD + graphPx + perColumn * ROW + FOOT
  const context = canvas.getContext('2d')
  if (!context) return
  const colour = coloursOf(picture.theme)
  context.fillStyle = colour('bg')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'middle'
  drawBunting(context, colour)
  drawHead(context, picture, { colour, logo: images.logo })
  if (graphPx > 0) drawGraph(context, picture, colour)
  const width = (WIDTH - 2 * MARGIN - COLUMN_GAP * (columns - 1)) / columns
  for (const [at, row] of picture.rows.entries()) {
    const left = MARGIN + Math.floor(at / perColumn) * (width + COLUMN_GAP)
    const top = HEAD + graphPx + (at % perColumn) * ROW
    drawRow(context, row, { left, top, width, colour, images })
  }
}

type Colour = (name: string) => string

/** The colours of a theme, independent of the page's own theme. */
function coloursOf(theme: Picture['theme']): Colour {
  const probe = document.createElement('div')
  probe.dataset['theme'] = theme
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const medals = ['medal-1', 'medal-2', 'medal-3', 'on-medal']
  const names = ['bg', 'raised', 'line', 'text', 'muted', 'accent', ...medals]
  names.push(...LINE_COLOURS.map((name) => `cat-${name}`))
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
  readonly family?: keyof typeof FAMILIES
}

/** Returns the width of what was drawn. */
function drawText(context: CanvasRenderingContext2D, options: Text): number {
  const { text, x, y, font, colour, width, align = 'left', family = 'display' } = options
  context.font = `${font} ${FAMILIES[family]}, system-ui, sans-serif`
  context.fillStyle = colour
  context.textAlign = align
  const shown = shortened(text, (part) => context.measureText(part).width <= width)
  context.fillText(shown, x, y)
  return context.measureText(shown).width
}

/** A line of pennants in the colours of the categories, over the whole width. */
function drawBunting(context: CanvasRenderingContext2D, colour: Colour): void {
  const { cloths, half, height, sag } = BUNTING
  const lineAt = (x: number) => 8 + sag * (1 - (2 * (x / WIDTH) - 1) ** 2)
  context.strokeStyle = colour('muted')
  context.lineWidth = 2
  context.beginPath()
  for (let x = 0; x <= WIDTH; x += 20) context.lineTo(x, lineAt(x))
  context.stroke()
  const cloth = pennantPath(half, height)
  for (let at = 0; at < cloths; at += 1) {
    const x = ((at + 0.5) / cloths) * WIDTH
    drawCloth(context, cloth, { x, y: lineAt(x), colour: colour(lineColour(Math.floor((at * 8) / cloths))) })
  }
}

interface ClothPlace {
  /** Middle of its upper edge. */
  readonly x: number
  readonly y: number
  readonly colour: string
}

function drawCloth(context: CanvasRenderingContext2D, path: string, { x, y, colour }: ClothPlace): void {
  context.save()
  context.translate(x, y)
  context.fillStyle = colour
  // A canvas, not an array.
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type
  context.fill(new Path2D(path))
  context.restore()
}

interface Head {
  readonly colour: Colour
  readonly logo: Drawing | null
}

function drawHead(context: CanvasRenderingContext2D, picture: Picture, { colour, logo }: Head): void {
  const logoWidth = logo ? drawLogo(context, logo) : 0
  const x = MARGIN + (logoWidth > 0 ? logoWidth + 24 : 0)
  const width = WIDTH - MARGIN - x
  drawText(context, { text: picture.title, x, y: 104, font: '750 46px', colour: colour('text'), width })
  const subtitle = { text: picture.subtitle, x, y: 150, font: '400 24px', colour: colour('muted'), width }
  drawText(context, { ...subtitle, family: 'body' })
}

/** Returns its width. */
function drawLogo(context: CanvasRenderingContext2D, { image, width, height }: Drawing): number {
  const scale = Math.min(88 / height, 320 / width)
  const size = { width: width * scale, height: height * scale }
  context.drawImage(image, MARGIN, 126 - size.height / 2, size.width, size.height)
  return size.width
}

interface RowPlace {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly colour: Colour
  readonly images: Images
}

function drawRow(context: CanvasRenderingContext2D, row: PictureRow, place: RowPlace): void {
  const { left, top, width, colour, images } = place
  const y = top + ROW / 2
  if (row.isOwn) {
    context.fillStyle = colour('raised')
    context.fillRect(left, top, width, ROW)
    context.fillStyle = colour('accent')
    context.fillRect(left, top, 6, ROW)
  }
  context.fillStyle = colour('line')
  context.fillRect(left, top + ROW - 1, width, 1)
  const text = { y, colour: colour('text') }
  const { rank } = row
  if (rank !== null && rank <= MEDALS) drawMedal(context, rank, { x: left + 44, top: top + 10, colour })
  else
    drawText(context, { ...text, text: row.place, x: left + 66, font: '700 26px', width: 60, align: 'right' })
  const flag = images.flags.get(row.id)
  if (flag) context.drawImage(flag.image, left + 84, y - 19, 38, 38)
  const country = row.countryCode === null ? undefined : images.countries.get(row.countryCode.toUpperCase())
  const scoreWidth = drawText(context, {
    ...text,
    text: row.score,
    x: left + width - 12,
    font: '700 28px',
    width: 160,
    align: 'right',
  })
  const name = { ...text, text: row.name, x: left + 138, font: '600 27px', family: 'body' } as const
  const room = width - 138 - scoreWidth - 36 - (country ? 56 : 0)
  const nameWidth = drawText(context, { ...name, width: room })
  if (country) context.drawImage(country.image, left + 138 + nameWidth + 14, y - 12, 36, 24)
}

interface MedalPlace {
  readonly x: number
  readonly top: number
  readonly colour: Colour
}

function drawMedal(context: CanvasRenderingContext2D, rank: number, { x, top, colour }: MedalPlace): void {
  drawCloth(context, swallowtailPath(17, 40), { x, y: top, colour: colour(`medal-${rank}`) })
  const text = { text: String(rank), x, y: top + 15, font: '800 21px', width: 30, align: 'center' } as const
  drawText(context, { ...text, colour: colour('on-medal') })
}

function drawGraph(context: CanvasRenderingContext2D, picture: Picture, colour: Colour): void {
  const { lines, now, number } = picture
  const box = {
    left: MARGIN + AXIS_WIDTH,
    top: HEAD + 8,
    width: WIDTH - 2 * MARGIN - AXIS_WIDTH - LABEL_WIDTH,
    height: GRAPH - 60,
  }
  const highest = Math.max(1, ...lines.flatMap(({ points }) => points.map(([, score]) => score)))
  const step = roundStep(highest / AXIS_STEPS)
  for (let score = 0; score <= highest; score += step) {
    const y = box.top + box.height * (1 - score / highest)
    context.fillStyle = colour('line')
    context.fillRect(box.left, y, box.width, 1)
    const at = { text: number(score), x: box.left - 12, y, width: AXIS_WIDTH, align: 'right' } as const
    drawText(context, { ...at, font: '500 20px', colour: colour('muted'), family: 'body' })
  }
  const placed = placeLines(lines, now, box).map((line, at) => ({
    ...line,
    colour: line.isOwn ? colour('accent') : colour(lineColour(at)),
    dash: line.isOwn ? [] : (DASHES[at % DASHES.length] ?? []),
  }))
  for (const line of placed) {
    context.strokeStyle = line.colour
    context.lineWidth = line.isOwn ? 6 : 3.5
    context.setLineDash(line.dash)
    context.stroke(new Path2D(line.path))
  }
  context.setLineDash([])
  const x = box.left + box.width + 16
  let lowest = -Infinity
  const byHeight = placed.toSorted((left, right) => left.endY - right.endY)
  for (const [at, line] of byHeight.entries()) {
    // Leaves room for the labels below this one.
    const last = box.top + box.height - LABEL_HEIGHT * (byHeight.length - 1 - at)
    lowest = Math.max(Math.min(line.endY, last), lowest + LABEL_HEIGHT)
    const font = line.isOwn ? '700 21px' : '600 21px'
    const text = { text: line.name, x, y: lowest, font, colour: line.colour, width: LABEL_WIDTH - 16 }
    drawText(context, { ...text, family: 'body' })
  }
}

/** The next larger of 1, 2, 5, 10, 20 and so on. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10)
}
