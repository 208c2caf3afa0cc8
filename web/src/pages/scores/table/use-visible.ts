import { useEffect, useRef, type RefObject } from 'react'
import { followScroll } from '../../../ui/data/follow-scroll.ts'
import { spanAt, type Span } from '../../../ui/data/rows-in-view.ts'

interface Place {
  readonly count: number
  /** Pixels, like `headPx`, which is the height of the header inside the scroller. */
  readonly rowHeight: number
  readonly headPx: number
  /** Index of the first row to show initially. */
  readonly startRow: number
}

/** Reports the visible rows after each change, for components that render their own scroller. */
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
