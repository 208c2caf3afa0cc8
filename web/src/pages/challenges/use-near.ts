import { useEffect, useState, type RefObject } from 'react'

/** So far outside of what is seen, a row is drawn in full already. */
const MARGIN = '600px 0px'

type Listener = (isNear: boolean) => void

const listeners = new WeakMap<Element, Listener>()
let observer: IntersectionObserver | undefined

/**
 * Whether the element is in sight or nearly. `first` is the answer until that is known. What holds the focus stays near:
 * without it the keys would begin at the top again.
 */
export function useNear(element: RefObject<Element | null>, first: boolean): boolean {
  const [isNear, setNear] = useState(first)
  useEffect(() => {
    const here = element.current
    if (!here) return
    // The list scrolls with the page or in a pane of its own: browsers that do not know the margin of panes ignore it.
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
