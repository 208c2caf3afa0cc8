import { useEffect, useRef, type RefObject } from 'react'
import { followScroll } from '../../ui/data/follow-scroll.ts'
import { spanAt, type Span } from '../../ui/data/rows-in-view.ts'

interface Place {
  readonly count: number
  /** Pixels, as `headPx`: what stands above the rows inside the scroller. */
  readonly rowHeight: number
  readonly headPx: number
  /** The row that stands first when the scroller comes into being. */
  readonly startRow: number
}

/** Tells the rows that can be seen, after each change. For the component that draws the scroller itself. */
export function useVisible(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, headPx, startRow }: Place,
  onVisible: (span: Span) => void,
): void {
  const latest = useRef(onVisible)
  const start = useRef(startRow)
  useEffect(() => {
    latest.current = onVisible
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let last: Span | undefined
    const look = () => {
      const next = spanAt(element.scrollTop, element.clientHeight - headPx, { count, rowHeight, spare: 0 })
      if (last?.from === next.from && last.to === next.to) return
      last = next
      latest.current(next)
    }
    if (start.current > 0) element.scrollTop = start.current * rowHeight
    start.current = 0
    return followScroll(element, look)
  }, [scroller, count, rowHeight, headPx])
}
