import { useEffect, useState, type RefObject } from 'react'

/** Rows within this distance of the viewport are rendered in full. */
const MARGIN = '600px 0px'

type Listener = (isNear: boolean) => void

const listeners = new WeakMap<Element, Listener>()
let observer: IntersectionObserver | undefined

/**
 * Returns whether the element is in or near the viewport; `first` until that is known. An element with the
 * focus stays rendered, because removing it would reset the focus.
 */
export function useNear(element: RefObject<Element | null>, first: boolean): boolean {
  const [isNear, setNear] = useState(first)
  useEffect(() => {
    const here = element.current
    if (!here) return
    // The list scrolls with the page or in its own pane; browsers without `scrollMargin` ignore it for panes.
    const margins = { rootMargin: MARGIN, scrollMargin: MARGIN }
    const watch = (observer ??= new IntersectionObserver(tell, margins))
    listeners.set(here, setNear)
    watch.observe(here)
    return () => {
      watch.unobserve(here)
      listeners.delete(here)
    }
  }, [element])
  return isNear
}

function tell(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries)
    listeners.get(target)?.(isIntersecting || target.contains(document.activeElement))
}
