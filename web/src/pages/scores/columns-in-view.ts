import { useEffect, useState, type RefObject } from 'react'
import { followScroll } from '../../ui/data/follow-scroll.ts'
import { spanAt, type Span } from '../../ui/data/rows-in-view.ts'

const SPARE_COLUMNS = 4

/** The columns that a scroller shows sideways, behind a frozen part of so many pixels. */
export function useColumnsInView(
  scroller: RefObject<HTMLElement | null>,
  columns: { readonly count: number; readonly width: number; readonly frozenPx: number },
): Span {
  const { count, width, frozenPx } = columns
  const [span, setSpan] = useState<Span>({ from: 0, to: Math.min(count, SPARE_COLUMNS) })
  // Not a layout effect: those of the inside run before the outer element is known.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const measure = { count, rowHeight: width, spare: SPARE_COLUMNS }
      const next = spanAt(Math.abs(element.scrollLeft), element.clientWidth - frozenPx, measure)
      setSpan((now) => (now.from === next.from && now.to === next.to ? now : next))
    }
    return followScroll(element, look)
  }, [scroller, count, width, frozenPx])
  return span
}
