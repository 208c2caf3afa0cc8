import { useLayoutEffect, useState, type RefObject } from 'react'
import { followScroll } from './follow-scroll.ts'

export interface Span {
  /** First rendered row. */
  readonly from: number
  /** First row after the rendered ones. */
  readonly to: number
}

export interface RowMeasure {
  readonly count: number
  /** Row height in pixels. */
  readonly rowHeight: number
  /** Overscan: rows rendered beyond each edge. */
  readonly spare: number
}

/** Returns the rows that a viewport shows plus overscan, clamped to the list. */
export function spanAt(top: number, height: number, { count, rowHeight, spare }: RowMeasure): Span {
  const first = Math.floor(Math.max(top, 0) / rowHeight) - spare
  const last = Math.ceil((Math.max(top, 0) + height) / rowHeight) + spare
  const from = Math.min(Math.max(first, 0), count)
  return { from, to: Math.min(Math.max(last, from), count) }
}

/** Tracks an element's scroll position; re-renders only when other rows become visible. */
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
