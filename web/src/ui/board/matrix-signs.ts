import { CELL } from './matrix-maths.ts'

// How the cells of the matrix look: a pennant in the colour of the category, the cloth of a medal with its digit for the
// first three, a dash for an open challenge. Shapes differ, so the states can be distinguished without colours, too.

/** The colours of the current theme, by the name of their CSS variable without `--pn-`. */
export type Colours = (name: string) => string

const PENNANT = new Path2D('M-6.5-6h13L0 7Z')
const CLOTH = new Path2D('M-7-8.5H7v17L0 5l-7 3.5Z')
const DASH = new Path2D('M-3-0.75h6v1.5h-6Z')
const RIPPLE = new Path2D('M-7 1q3.5-5 7 0t7 0v2q-3.5 5-7 0t-7 0Z')

/** Share of the category's colour behind a whole column, and behind a solved cell. */
const COLUMN_TINT = 0.07
const CELL_TINT = 0.16
/** Between columns. */
const GAP_PX = 1

export interface CellBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export function paintColumn(context: CanvasRenderingContext2D, colour: string, box: CellBox): void {
  context.globalAlpha = COLUMN_TINT
  context.fillStyle = colour
  context.fillRect(box.left, box.top, box.width - GAP_PX, box.height)
  context.globalAlpha = 1
}

interface Painted extends CellBox {
  /** One of `CELL`. */
  readonly value: number
  /** Of the category. */
  readonly colour: string
}

/** Paints the state of a cell. The lines between rows stay visible. */
export function paintCell(context: CanvasRenderingContext2D, colours: Colours, cell: Painted): void {
  const { value, left, top, width, height } = cell
  const medal = value - CELL.blood1 + 1
  const isMedal = medal >= 1 && medal <= 3
  const colour = value === CELL.none ? colours('faint') : isMedal ? colours(`medal-${medal}`) : cell.colour
  context.fillStyle = colour
  if (value !== CELL.none) {
    context.globalAlpha = CELL_TINT
    context.fillRect(left, top, width - GAP_PX, height - 1)
    context.globalAlpha = 1
  }
  const middle = [left + width / 2, top + height / 2] as const
  context.translate(...middle)
  // `fill` is a canvas method here; the linter takes it for `Array.fill`.
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type
  context.fill(shapeOf(value, isMedal))
  if (isMedal) {
    context.fillStyle = colours('on-medal')
    context.fillText(String(medal), 0, -1)
  }
  context.translate(-middle[0], -middle[1])
}

function shapeOf(value: number, isMedal: boolean): Path2D {
  if (isMedal) return CLOTH
  if (value === CELL.none) return DASH
  return value === CELL.live ? RIPPLE : PENNANT
}
