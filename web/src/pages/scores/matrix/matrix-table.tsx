import { useMemo, useState, type KeyboardEvent } from 'react'
import { useOwnTeam } from '../../../api/use-contest.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { MatrixCanvas } from '../../../ui/board/matrix-canvas.tsx'
import { CELL, moveCell, scrollTo, type Cell, type Grid, type View } from '../../../ui/board/matrix-maths.ts'
import { VirtualBoard } from '../../../ui/board/virtual-board.tsx'
import type { BoardTableProps } from '../table/board-table.tsx'
import {
  cellsOf,
  columnsOf,
  countSolved,
  type Column,
  type ColumnOrder,
  type Heads,
} from '../table/columns.ts'
import { HEAD_PX, MatrixHead } from './matrix-head.tsx'
import styles from './matrix.module.css'
import { BlankRow, Row } from '../table/row.tsx'
import { scrollbarsPx } from '../table/scrollbars.ts'
import type { Board, BoardRow } from '../use-board.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useVisible } from '../table/use-visible.ts'

const COLUMN_PX = 36
const WIDE_FROZEN_PX = 480
const NARROW_FROZEN_PX = 340
const BORDERS_PX = 2

interface MatrixTableProps extends BoardTableProps {
  readonly challenges: Heads
  readonly order: ColumnOrder
  readonly graph: { readonly division: string | undefined; readonly track: string | undefined } | null
}

/** The scoreboard with a cell per team and challenge; all cells are drawn on one canvas. */
export function MatrixTable(props: MatrixTableProps) {
  const { board, total, rowHeight, startRow, scrollerRef, challenges, order, graph, onOpen } = props
  const text = useMessages(scoresMessages)
  const own = useOwnTeam().team?.id
  const columns = useMemo(() => columnsOf(challenges, order), [challenges, order])
  const frozenPx = useMedia('(min-width: 1024px)') ? WIDE_FROZEN_PX : NARROW_FROZEN_PX
  const grid = { rows: total, columns: columns.length, rowHeight, columnWidth: COLUMN_PX }
  const [cursor, setCursor] = useState<Cell | null>(null)
  const cellsAt = useCells(board, columns)
  useVisible(scrollerRef, { count: total, rowHeight, headPx: HEAD_PX, startRow }, board.onVisible)
  const described = useCellText({ board, columns, cellsAt })
  const open = (cell: Cell) => {
    const row = board.rowAt(cell.row)
    if (row) onOpen(row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const box = scrollerRef.current
    if (!box || event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return
    // What opens has the focus at once, and the key would press its button.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Enter' && cursor) return open(cursor)
    if (event.key === 'Escape') return setCursor(null)
    const view = viewOf(box, frozenPx)
    const first = { row: Math.ceil(view.top / rowHeight), column: Math.ceil(view.left / COLUMN_PX) }
    const moved = moveCell(grid, view, { from: cursor ?? first, key: event.key })
    // Without a cursor, the first key selects the first visible cell.
    const next = cursor ? moved : moved && first
    if (!next) return
    event.preventDefault()
    setCursor(next)
    const { left, top } = scrollTo(grid, view, next)
    box.scrollTo({ left: view.isRtl ? -left : left, top })
  }
  const solvedText = (index: number) => {
    const cells = cellsAt(index)
    return cells && text.solvedOf(countSolved(cells), columns.length)
  }
  return (
    <div className={styles.fill} onKeyDown={onKeyDown}>
      <VirtualBoard
        label={text.board}
        total={total}
        rowHeight={rowHeight}
        height={`min(100%, ${total * rowHeight + HEAD_PX + scrollbarsPx(scrollerRef.current).bottom + BORDERS_PX}px)`}
        scrollerRef={scrollerRef}
        head={<MatrixHead {...{ columns, frozenPx, scrollerRef, graph }} columnPx={COLUMN_PX} />}
        renderRow={(index) => {
          const row = board.rowAt(index)
          if (!row) return <BlankRow index={index} />
          const solved = solvedText(index) ?? undefined
          return <Row {...{ row, index, board, onOpen, solved }} isNarrow isOwn={row.id === own} />
        }}
        matrix={{
          frozenPx,
          cellsPx: columns.length * COLUMN_PX,
          draw: (view) => (
            <Cells
              {...{ grid, view, cursor, board, columns, cellsAt, own }}
              onCursor={setCursor}
              onPress={open}
              tip={cursor && described(cursor)}
            />
          ),
        }}
      />
      <p className="pn-hidden" role="status">
        {cursor && described(cursor)}
      </p>
    </div>
  )
}

function viewOf(box: HTMLElement, frozenPx: number): View {
  return {
    isRtl: getComputedStyle(box).direction === 'rtl',
    left: Math.abs(box.scrollLeft),
    top: box.scrollTop,
    width: box.clientWidth - frozenPx,
    height: box.clientHeight - HEAD_PX,
  }
}

type CellsAt = (row: number) => Uint8Array | null

/** The cells of each loaded row, cached per row and set of columns. */
function useCells(board: Pick<Board, 'rowAt'>, columns: readonly Column[]): CellsAt {
  // A new cache per set of columns; the WeakMap drops rows that are no longer used.
  const made = useMemo(() => ({ columns, byRow: new WeakMap<BoardRow, Uint8Array>() }), [columns])
  return (index) => {
    const row = board.rowAt(index)
    if (!row) return null
    const known = made.byRow.get(row)
    if (known) return known
    const cells = cellsOf(row, made.columns)
    made.byRow.set(row, cells)
    return cells
  }
}

interface CellSource {
  readonly board: Pick<Board, 'rowAt'>
  readonly columns: readonly Column[]
  readonly cellsAt: CellsAt
}

/** Text equivalent of a cell: team, challenge, state and time. */
function useCellText({ board, columns, cellsAt }: CellSource): (cell: Cell) => string {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  return ({ row, column }) => {
    const [team, challenge] = [board.rowAt(row), columns[column]]
    if (!team || !challenge) return ''
    const state = text.cellStates[cellsAt(row)?.[column] ?? CELL.none] ?? ''
    const at = team.solves.find(({ id }) => id === challenge.id)?.solveTime
    const live = team.dynamicScores.find(({ id }) => id === challenge.id)?.points
    const more = [at && format.dateTime(at), live !== undefined && text.pointsCount(format.number(live))]
    return text.cell(team.name, challenge.name, [state, ...more].filter(Boolean).join(', '))
  }
}

interface CellsProps extends CellSource {
  readonly grid: Grid
  readonly view: View
  readonly cursor: Cell | null
  readonly own: string | undefined
  readonly tip: string | null
  readonly onCursor: (cell: Cell | null) => void
  readonly onPress: (cell: Cell) => void
}

function Cells({ grid, view, cursor, board, columns, cellsAt, own, tip, onCursor, onPress }: CellsProps) {
  const format = useFormat()
  const marked = ownRowIn(board, { grid, view, own })
  const live = ({ row, column }: Cell) => {
    const challenge = columns[column]
    if (!challenge?.isLive) return null
    const score = board.rowAt(row)?.dynamicScores.find(({ id }) => id === challenge.id)
    return score ? format.number(score.points) : null
  }
  return (
    <>
      <MatrixCanvas
        {...{ grid, view, cursor, onCursor, onPress, marked }}
        row={cellsAt}
        text={live}
        category={(column) => columns[column]?.category ?? ''}
      />
      {cursor && tip && (
        <span
          aria-hidden="true"
          className={styles.tip}
          style={{
            ...tipPlace(grid, view, cursor),
            insetInlineStart: Math.min(
              cursor.column * grid.columnWidth - view.left,
              Math.max(0, view.width - TIP_PX),
            ),
          }}
        >
          {tip}
        </span>
      )}
    </>
  )
}

const TIP_PX = 320
/** The tip and the pinned own row, which would cover it. */
const COVERED_PX = 100

/** Below the cell, or above it where the pinned row is. */
function tipPlace({ rowHeight }: Grid, { top, height }: View, { row }: Cell) {
  const below = (row + 1) * rowHeight - top + 4
  if (below + COVERED_PX < height) return { insetBlockStart: below }
  return { insetBlockStart: row * rowHeight - top - 4, transform: 'translateY(-100%)' }
}

function ownRowIn(
  board: Pick<Board, 'rowAt'>,
  { grid, view, own }: Pick<CellsProps, 'grid' | 'view' | 'own'>,
) {
  const from = Math.floor(view.top / grid.rowHeight)
  const count = Math.ceil(view.height / grid.rowHeight) + 1
  const found = Array.from({ length: own === undefined ? 0 : count }, (_, at) => from + at)
  return found.find((row) => board.rowAt(row)?.id === own) ?? null
}
