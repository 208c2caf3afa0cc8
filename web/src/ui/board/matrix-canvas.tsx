import { useEffect, useRef, type RefObject } from 'react'
import { useTheme } from '../plots/use-theme.ts'
import { drawAtlas, SIGN_PX } from './atlas.ts'
import styles from './board.module.css'
import { cellAt, cellsIn, columnLeft, type Cell, type Grid, type View } from './matrix-maths.ts'

export interface MatrixCanvasProps {
  readonly grid: Grid
  readonly view: View
  /** One `CELL` value per column; null for a row that is not loaded. */
  readonly row: (row: number) => Uint8Array | null
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
  const atlas = useAtlas(canvas)
  useEffect(() => {
    // Batches all changes of a frame into one draw.
    const frame = requestAnimationFrame(() => {
      if (canvas.current && atlas.current) paint(canvas.current, atlas.current(), props)
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

interface Paints {
  readonly signs: HTMLCanvasElement
  readonly colour: (name: string) => string
}

/** The icons in the current colours; redrawn when the theme or the pixel density changes. */
function useAtlas(canvas: RefObject<HTMLCanvasElement | null>): RefObject<(() => Paints) | null> {
  const theme = useTheme()
  const paints = useRef<(() => Paints) | null>(null)
  const made = useRef<{ readonly key: string; readonly value: Paints }>(undefined)
  useEffect(() => {
    paints.current = () => {
      const key = `${theme} ${devicePixelRatio}`
      if (made.current?.key === key) return made.current.value
      const style = getComputedStyle(canvas.current ?? document.documentElement)
      const colour = (name: string) => style.getPropertyValue(`--pn-${name}`).trim()
      const cached = new Map(['line', 'text', 'accent', 'pressed'].map((name) => [name, colour(name)]))
      const value = {
        signs: drawAtlas(colour, devicePixelRatio),
        colour: (name: string) => cached.get(name) ?? '',
      }
      made.current = { key, value }
      return value
    }
  }, [theme, canvas])
  return paints
}

function paint(canvas: HTMLCanvasElement, { signs, colour }: Paints, props: MatrixCanvasProps) {
  const { grid, view, row: rowOf, text, cursor, marked } = props
  const scale = devicePixelRatio
  const [width, height] = [Math.round(view.width * scale), Math.round(view.height * scale)]
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, view.width, view.height)
  context.font = '500 11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const seen = cellsIn(grid, view)
  for (let row = seen.fromRow; row < seen.toRow; row += 1) {
    const top = row * grid.rowHeight - view.top
    if (row === marked) {
      context.fillStyle = colour('pressed')
      context.fillRect(0, top, view.width, grid.rowHeight)
    }
    context.fillStyle = colour('line')
    context.fillRect(0, top + grid.rowHeight - 1, view.width, 1)
    const cells = rowOf(row)
    context.fillStyle = colour('text')
    for (let column = seen.fromColumn; cells && column < seen.toColumn; column += 1) {
      const value = cells[column] ?? 0
      const left = columnLeft(grid, view, column)
      const shown = text?.({ row, column }) ?? null
      if (shown !== null)
        context.fillText(shown, left + grid.columnWidth / 2, top + grid.rowHeight / 2, grid.columnWidth - 4)
      else if (value > 0)
        drawSign(context, signs, {
          value,
          x: left + (grid.columnWidth - SIGN_PX) / 2,
          y: top + (grid.rowHeight - SIGN_PX) / 2,
        })
    }
  }
  if (!cursor) return
  context.strokeStyle = colour('accent')
  context.lineWidth = 2
  const corner = [
    columnLeft(grid, view, cursor.column) + 1,
    cursor.row * grid.rowHeight - view.top + 1,
  ] as const
  context.strokeRect(...corner, grid.columnWidth - 2, grid.rowHeight - 2)
}

interface Placed {
  readonly value: number
  readonly x: number
  readonly y: number
}

function drawSign(context: CanvasRenderingContext2D, signs: HTMLCanvasElement, { value, x, y }: Placed) {
  const side = signs.height
  context.drawImage(signs, (value - 1) * side, 0, side, side, x, y, SIGN_PX, SIGN_PX)
}
