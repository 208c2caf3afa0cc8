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
    history.pushState({ ...history.state, [KEY]: id }, '')
    const back = () => {
      if (layerNow() !== id) close.current()
    }
    window.addEventListener('popstate', back)
    return () => {
      window.removeEventListener('popstate', back)
      // Not when a link inside has led elsewhere: then the entry on top is no longer ours.
      if (layerNow() === id) history.back()
    }
  }, [open, id])
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
