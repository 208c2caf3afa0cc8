import { useRef, type ReactNode } from 'react'
import { useRowsInView } from '../data/rows-in-view.ts'
import styles from './board.module.css'

const SPARE_ROWS = 10

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
  readonly renderRow: (row: number) => ReactNode
  /** CSS length. */
  readonly height: string
}

/** A virtualized list: only visible rows are rendered. */
export function VirtualList({ label, count, rowHeight, renderRow, height }: VirtualListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { from, to } = useRowsInView(scroller, { count, rowHeight, spare: SPARE_ROWS })
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={{ height }}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <div role="list" aria-label={label} className={styles.rows} style={{ height: count * rowHeight }}>
        {Array.from({ length: to - from }, (_, at) => from + at).map((row) => (
          <div
            key={row}
            role="listitem"
            aria-setsize={count}
            aria-posinset={row + 1}
            className={styles.row}
            style={{ height: rowHeight, transform: `translateY(${row * rowHeight}px)` }}
          >
            {renderRow(row)}
          </div>
        ))}
      </div>
    </div>
  )
}
