import { useEffect, useId, useRef } from 'react'

/** Under this key the history entry says which layer it belongs to. What the router keeps beside it stays. */
const KEY = 'pennantLayer'

/**
 * Makes the browser's Back close an open layer instead of leaving the page: opening adds a history entry of the same
 * address, closing by other means takes it away again.
 */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const id = useId()
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!open) return
    const back = () => {
      if (layerNow() !== id) close.current()
    }
    const begin = () => {
      history.pushState({ ...history.state, [KEY]: id }, '')
      window.addEventListener('popstate', back)
    }
    // The entry of a layer that closed just now is still on its way out, and would take ours in its place.
    if (isLeaving) window.addEventListener('popstate', begin, { once: true })
    else begin()
    return () => {
      window.removeEventListener('popstate', begin)
      window.removeEventListener('popstate', back)
      // Not when a link inside has led elsewhere: then the entry on top is no longer ours.
      if (layerNow() === id) leave()
    }
  }, [open, id])
}

/** Whether an entry is being taken away: that ends with a `popstate`. */
let isLeaving = false

function leave(): void {
  isLeaving = true
  const left = () => {
    isLeaving = false
  }
  window.addEventListener('popstate', left, { once: true })
  history.back()
}

function layerNow(): unknown {
  return (history.state as Record<string, unknown> | null)?.[KEY]
}

/** Counts the layers that are open, over all of the page. */
let layersOpen = 0

/** Keeps the page under a layer from scrolling, by a class on the root and not by a style of our own. */
export function useScrollLock(open: boolean): void {
  useEffect(() => {
    if (!open) return
    layersOpen += 1
    document.documentElement.classList.add('pn-locked')
    return () => {
      layersOpen -= 1
      if (layersOpen === 0) document.documentElement.classList.remove('pn-locked')
    }
  }, [open])
}
