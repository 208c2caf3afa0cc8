import { useEffect, useRef, type RefObject } from 'react'
import { useTheme } from '../plots/use-theme.ts'
import { categoryOf, clothNames } from '../marks/categories.ts'
import styles from './board.module.css'
import { cellAt, cellsIn, columnLeft, type Cell, type Grid, type View } from './matrix-maths.ts'
import { paintCell, paintColumn, type Colours } from './matrix-signs.ts'

export interface MatrixCanvasProps {
  readonly grid: Grid
  readonly view: View
  /** One `CELL` value per column; null for a row that is not loaded. */
  readonly row: (row: number) => Uint8Array | null
  /** Name of the category of a column. */
  readonly category: (column: number) => string
  /** Text instead of an icon, for dynamic points. */
  readonly text?: (cell: Cell) => string | null
  readonly cursor: Cell | null
  /** The pointer entered a cell, or left the grid. */
  readonly onCursor: (cell: Cell | null) => void
  readonly onPress?: (cell: Cell) => void
  /** Row highlighted as selected. */
  readonly marked?: number | null
}

/**
 * Draws all visible cells on one canvas. Hidden from screen readers: the row and its sheet are the text
 * equivalent.
 */
export function MatrixCanvas(props: MatrixCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const colours = useColours(canvas)
  useEffect(() => {
    // Batches all changes of a frame into one draw.
    const frame = requestAnimationFrame(() => {
      if (canvas.current && colours.current) paint(canvas.current, colours.current, props)
    })
    return () => cancelAnimationFrame(frame)
  })
  const { grid, view, onCursor, onPress } = props
  const at = (event: { nativeEvent: { offsetX: number; offsetY: number } }) =>
    cellAt(grid, view, { x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY })
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      className={styles.canvas}
      style={{ width: view.width, height: view.height }}
      onPointerMove={(event) => onCursor(at(event))}
      onPointerLeave={() => onCursor(null)}
      onClick={(event) => {
        const cell = at(event)
        onCursor(cell)
        if (cell) onPress?.(cell)
      }}
    />
  )
}

/** The colours of the theme, each read once. */
function useColours(canvas: RefObject<HTMLCanvasElement | null>): RefObject<Colours | null> {
  const theme = useTheme()
  const colours = useRef<Colours | null>(null)
  useEffect(() => {
    const style = getComputedStyle(canvas.current ?? document.documentElement)
    const known = new Map<string, string>()
    colours.current = (name) => {
      const colour = known.get(name) ?? style.getPropertyValue(`--pn-${name}`).trim()
      known.set(name, colour)
      return colour
    }
  }, [theme, canvas])
  return colours
}

/** The colour of a category, which an operator may have set. */
function categoryColour(colours: Colours, name: string): string {
  for (const variable of clothNames(categoryOf(name))) {
    const colour = colours(variable)
    if (colour !== '') return colour
  }
  return colours('text')
}

function paint(canvas: HTMLCanvasElement, colours: Colours, props: MatrixCanvasProps) {
  const { grid, view, category, cursor, marked } = props
  const scale = devicePixelRatio
  const [width, height] = [Math.round(view.width * scale), Math.round(view.height * scale)]
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, view.width, view.height)
  context.font = `700 11px ${getComputedStyle(canvas).fontFamily}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const seen = cellsIn(grid, view)
  const columns = Array.from({ length: Math.max(0, seen.toColumn - seen.fromColumn) }, (_, at) => {
    const column = seen.fromColumn + at
    return { column, left: columnLeft(grid, view, column), colour: categoryColour(colours, category(column)) }
  })
  const top = seen.fromRow * grid.rowHeight - view.top
  const tall = { top, width: grid.columnWidth, height: (seen.toRow - seen.fromRow) * grid.rowHeight }
  for (const { left, colour } of columns) paintColumn(context, colour, { ...tall, left })
  for (let row = seen.fromRow; row < seen.toRow; row += 1)
    paintRow(context, colours, { ...props, columns, at: row, isMarked: row === marked })
  if (!cursor) return
  context.strokeStyle = colours('accent')
  context.lineWidth = 2
  const corner = [
    columnLeft(grid, view, cursor.column) + 1,
    cursor.row * grid.rowHeight - view.top + 1,
  ] as const
  context.strokeRect(...corner, grid.columnWidth - 2, grid.rowHeight - 2)
}

interface PaintedRow extends Pick<MatrixCanvasProps, 'grid' | 'view' | 'row' | 'text'> {
  readonly columns: readonly { readonly column: number; readonly left: number; readonly colour: string }[]
  readonly at: number
  readonly isMarked: boolean
}

function paintRow(context: CanvasRenderingContext2D, colours: Colours, painted: PaintedRow) {
  const { grid, view, row: cellsOf, text, columns, at, isMarked } = painted
  const [width, height] = [grid.columnWidth, grid.rowHeight]
  const top = at * height - view.top
  if (isMarked) {
    context.fillStyle = colours('pressed')
    context.fillRect(0, top, view.width, height)
  }
  context.fillStyle = colours('line')
  context.fillRect(0, top + height - 1, view.width, 1)
  const cells = cellsOf(at)
  if (!cells) return
  for (const { column, left, colour } of columns) {
    const shown = text?.({ row: at, column }) ?? null
    if (shown === null) {
      paintCell(context, colours, { value: cells[column] ?? 0, colour, left, top, width, height })
      continue
    }
    context.fillStyle = colours('text')
    context.fillText(shown, left + width / 2, top + height / 2, width - 4)
  }
}
