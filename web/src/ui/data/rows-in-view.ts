import { useLayoutEffect, useState, type RefObject } from 'react'
import { followScroll } from './follow-scroll.ts'

export interface Span {
  /** First row drawn. */
  readonly from: number
  /** First row after those drawn. */
  readonly to: number
}

export interface RowMeasure {
  readonly count: number
  /** Pixels of one row. */
  readonly rowHeight: number
  /** Rows drawn beyond each edge. */
  readonly spare: number
}

/** The rows that a viewport shows, with spare ones around; both ends within the list. */
export function spanAt(top: number, height: number, { count, rowHeight, spare }: RowMeasure): Span {
  const first = Math.floor(Math.max(top, 0) / rowHeight) - spare
  const last = Math.ceil((Math.max(top, 0) + height) / rowHeight) + spare
  const from = Math.min(Math.max(first, 0), count)
  return { from, to: Math.min(Math.max(last, from), count) }
}

/** Follows the scrolling of an element; draws again only when other rows come into view. */
export function useRowsInView(scroller: RefObject<HTMLElement | null>, measure: RowMeasure): Span {
  const { count, rowHeight, spare } = measure
  const [span, setSpan] = useState<Span>({ from: 0, to: Math.min(count, spare * 2) })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const next = spanAt(element.scrollTop, element.clientHeight, { count, rowHeight, spare })
      setSpan((now) => (now.from === next.from && now.to === next.to ? now : next))
    }
    return followScroll(element, look)
  }, [scroller, count, rowHeight, spare])
  return span
}
