import { useMemo, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useOwnTeam } from '../../../api/use-contest.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useMessages } from '../../../text/messages.ts'
import { VirtualBoard } from '../../../ui/board/virtual-board.tsx'
import { cx } from '../../../ui/cx.ts'
import { CategoryIcons } from './category-strip.tsx'
import { categoriesOf } from './columns.ts'
import { focusRow } from './row-focus.ts'
import { BlankRow, Row } from './row.tsx'
import styles from '../scores.module.css'
import { useBoardChallenges } from '../use-board-challenges.ts'
import type { Board, BoardRow } from '../use-board.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useVisible } from './use-visible.ts'

const HEAD_PX = 38
const BORDERS_PX = 2

export interface BoardTableProps {
  readonly board: Board
  readonly total: number
  /** Pixels. */
  readonly rowHeight: number
  readonly startRow: number
  readonly scrollerRef: RefObject<HTMLDivElement | null>
  readonly onOpen: (row: BoardRow) => void
}

/** The whole scoreboard in one scroll container, whose scroll bar has the full length from the start. */
export function BoardTable({ board, total, rowHeight, startRow, scrollerRef, onOpen }: BoardTableProps) {
  const text = useMessages(scoresMessages)
  const own = useOwnTeam().team?.id
  const { challenges } = useBoardChallenges()
  const categories = useMemo(() => categoriesOf(challenges ?? {}), [challenges])
  const headPx = useMedia('(max-width: 767px)') ? 0 : HEAD_PX
  useVisible(scrollerRef, { count: total, rowHeight, headPx, startRow }, board.onVisible)
  const onKeyDown = useRowKeys({ board, total, rowHeight, scrollerRef })
  const head = (
    <div role="row" className={cx(styles.row, styles.head)}>
      <span role="columnheader">{text.place}</span>
      <span role="columnheader">{text.team}</span>
      <span role="columnheader" className={styles.strips}>
        <span className="pn-hidden">{text.categories}</span>
        <CategoryIcons categories={categories} />
      </span>
      <span role="columnheader" className={styles.trend}>
        {text.trend}
      </span>
      <span role="columnheader" className={cx(styles.end, styles.solves)}>
        {text.solves}
      </span>
      <span role="columnheader" className={cx(styles.end, styles.when)}>
        {text.lastSolve}
      </span>
      <span role="columnheader" className={styles.end}>
        {text.score}
      </span>
    </div>
  )
  return (
    <div className={styles.fill} onKeyDown={onKeyDown}>
      <VirtualBoard
        label={text.board}
        total={total}
        rowHeight={rowHeight}
        height={`min(100%, ${total * rowHeight + headPx + BORDERS_PX}px)`}
        head={head}
        scrollerRef={scrollerRef}
        renderRow={(index) => {
          const row = board.rowAt(index)
          if (!row) return <BlankRow index={index} />
          return <Row {...{ row, index, board, categories, onOpen }} isOwn={row.id === own} />
        }}
      />
    </div>
  )
}

/** Number of rows that a key moves; a page is the number of visible rows. */
function stepOf(key: string, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  }
  return steps[key]
}

/** Arrow, page and end keys move the focus between rows; the row itself handles Enter. */
function useRowKeys(props: Pick<BoardTableProps, 'board' | 'total' | 'rowHeight' | 'scrollerRef'>) {
  const { board, total, rowHeight, scrollerRef } = props
  const wanted = useRef<number>(undefined)
  return (event: KeyboardEvent) => {
    const { from, to } = board.visible
    const step = stepOf(event.key, Math.max(1, to - from - 2))
    const box = scrollerRef.current
    if (step === undefined || !box || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index']
    const at = focused === undefined ? (wanted.current ?? from - Math.sign(step)) : Number(focused)
    const next = Math.min(Math.max(at + step, 0), total - 1)
    wanted.current = next
    if (next * rowHeight < box.scrollTop) box.scrollTop = next * rowHeight
    // One extra row, because the pinned own row can cover the last one.
    const bottom = (next + 2) * rowHeight + HEAD_PX
    if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight
    focusRow(box, next)
  }
}
