import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { followScroll } from '../data/follow-scroll.ts'
import { useRowsInView, type Span } from '../data/rows-in-view.ts'
import styles from './board.module.css'
import type { View } from './matrix-maths.ts'

const SPARE_ROWS = 8

interface VirtualBoardProps {
  readonly label: string
  /** Total number of rows, so that the scroll bar has the full length from the start. */
  readonly total: number
  readonly rowHeight: number
  readonly renderRow: (row: number) => ReactNode
  /** Called with the visible rows after each change. */
  readonly onSpan?: (span: Span) => void
  readonly head?: ReactNode
  /** Width in pixels of the frozen part and of all cells; if missing, there is no horizontal scrolling. */
  readonly matrix?: {
    readonly frozenPx: number
    readonly cellsPx: number
    readonly draw: (view: View) => ReactNode
  }
  /** CSS length. */
  readonly height: string
  readonly scrollerRef?: RefObject<HTMLDivElement | null>
}

/** A virtualized list of any length. Rows are positioned with transforms, and their DOM nodes are reused. */
export function VirtualBoard(props: VirtualBoardProps) {
  const { label, total, rowHeight, renderRow, onSpan, head, matrix, height, scrollerRef } = props
  const own = useRef<HTMLDivElement>(null)
  const scroller = scrollerRef ?? own
  const span = useRowsInView(scroller, { count: total, rowHeight, spare: SPARE_ROWS })
  const seen = useRef(onSpan)
  useEffect(() => {
    seen.current = onSpan
  })
  useEffect(() => seen.current?.(span), [span])
  // At least one more slot than visible rows, so that each slot belongs to a single row.
  const slots = span.to - span.from + 1
  const rows = Array.from({ length: span.to - span.from }, (_, at) => span.from + at)
  const width = matrix ? matrix.frozenPx + matrix.cellsPx : undefined
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={{ height }}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <div role="table" aria-label={label} aria-rowcount={total} style={{ width }}>
        {head && (
          <div role="rowgroup" className={styles.head}>
            {head}
          </div>
        )}
        <div role="rowgroup" className={styles.rows} style={{ height: total * rowHeight }}>
          {matrix && <MatrixLayer scroller={scroller} matrix={matrix} />}
          <div role="presentation" className={styles.frozen} style={{ width: matrix?.frozenPx }}>
            {rows.map((row) => (
              <div
                key={row % slots}
                role="row"
                aria-rowindex={row + 1}
                className={styles.row}
                style={{
                  height: rowHeight,
                  width: matrix?.frozenPx,
                  transform: `translateY(${row * rowHeight}px)`,
                }}
              >
                {renderRow(row)}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

interface MatrixLayerProps {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly matrix: NonNullable<VirtualBoardProps['matrix']>
}

/** Stays fixed over the visible area while the container scrolls; only its drawing moves. */
function MatrixLayer({ scroller, matrix }: MatrixLayerProps) {
  const { frozenPx } = matrix
  const layer = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ left: 0, top: 0, width: 0, height: 0 })
  // Not a layout effect: a child's layout effects run before the parent's ref is set.
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const look = () => {
      const headPx = layer.current?.parentElement?.offsetTop ?? 0
      setView({
        isRtl: getComputedStyle(box).direction === 'rtl',
        left: Math.abs(box.scrollLeft),
        top: box.scrollTop,
        width: Math.max(0, box.clientWidth - frozenPx),
        height: Math.max(0, box.clientHeight - headPx),
      })
    }
    return followScroll(box, look)
  }, [scroller, frozenPx])
  const place = { transform: `translate(${(view.isRtl ? -1 : 1) * (view.left + frozenPx)}px, ${view.top}px)` }
  return (
    <div ref={layer} role="presentation" className={styles.layer} style={place}>
      {matrix.draw(view)}
    </div>
  )
}
