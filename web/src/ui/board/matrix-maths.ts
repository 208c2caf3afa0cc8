/** Cell states as numbers, so that a row of cells fits in one typed array. */
export const CELL = { none: 0, solved: 1, blood1: 2, blood2: 3, blood3: 4, live: 5 } as const

/** In pixels, relative to the content of the scroll container. */
export interface Grid {
  readonly rows: number
  readonly columns: number
  readonly rowHeight: number
  readonly columnWidth: number
}

/** Visible part of the content, and size of the canvas over it. */
export interface View {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isRtl?: boolean
}

export interface Cell {
  readonly row: number
  readonly column: number
}

/** Left edge of a column on a canvas of the view's width; mirrored in right-to-left pages. */
export function columnLeft(grid: Grid, view: View, column: number): number {
  const start = column * grid.columnWidth - view.left
  return view.isRtl ? view.width - start - grid.columnWidth : start
}

/** Range of cells that intersect the view; `to` is exclusive. Empty if the grid is outside the view. */
export function cellsIn(
  grid: Grid,
  view: View,
): { fromRow: number; toRow: number; fromColumn: number; toColumn: number } {
  return {
    fromRow: within(Math.floor(view.top / grid.rowHeight), grid.rows),
    toRow: within(Math.ceil((view.top + view.height) / grid.rowHeight), grid.rows),
    fromColumn: within(Math.floor(view.left / grid.columnWidth), grid.columns),
    toColumn: within(Math.ceil((view.left + view.width) / grid.columnWidth), grid.columns),
  }
}

/** The cell at a point of the canvas; null outside the grid. */
export function cellAt(
  grid: Grid,
  view: View,
  point: { readonly x: number; readonly y: number },
): Cell | null {
  const row = Math.floor((view.top + point.y) / grid.rowHeight)
  const x = view.isRtl ? view.width - point.x : point.x
  const column = Math.floor((view.left + x) / grid.columnWidth)
  const inside = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns
  return inside ? { row, column } : null
}

/** The new cursor position for a key; null for other keys. A page is the number of visible rows. */
export function moveCell(
  grid: Grid,
  view: View,
  { from, key }: { readonly from: Cell; readonly key: string },
): Cell | null {
  const page = Math.max(1, Math.floor(view.height / grid.rowHeight) - 1)
  const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, view.isRtl ? -1 : 1],
    ArrowLeft: [0, view.isRtl ? 1 : -1],
    PageDown: [page, 0],
    PageUp: [-page, 0],
    Home: [0, -grid.columns],
    End: [0, grid.columns],
  }
  const move = moves[key]
  if (!move || grid.rows === 0 || grid.columns === 0) return null
  const row = Math.min(Math.max(from.row + move[0], 0), grid.rows - 1)
  const column = Math.min(Math.max(from.column + move[1], 0), grid.columns - 1)
  return { row, column }
}

/** The minimum scrolling that makes a cell fully visible. */
export function scrollTo(grid: Grid, view: View, cell: Cell): { left: number; top: number } {
  return {
    left: reach(cell.column * grid.columnWidth, grid.columnWidth, [view.left, view.width]),
    top: reach(cell.row * grid.rowHeight, grid.rowHeight, [view.top, view.height]),
  }
}

/** The nearest scroll position at which the range is visible. */
function reach(at: number, size: number, [start, length]: readonly [number, number]): number {
  if (at < start) return at
  return Math.max(start, at + size - length)
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}
