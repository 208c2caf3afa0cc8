import { useEffect, useId, useRef } from 'react'

/** Key in the history state for the layer's id. The router's own state is kept. */
const KEY = 'pennantLayer'

/**
 * Makes the browser's Back close an open layer instead of leaving the page: opening pushes a history entry
 * with the same URL, and closing by other means removes it.
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
    // A layer that has just closed is still removing its entry with history.back(); an entry pushed now would
    // be removed instead.
    if (isLeaving) window.addEventListener('popstate', begin, { once: true })
    else begin()
    return () => {
      window.removeEventListener('popstate', begin)
      window.removeEventListener('popstate', back)
      // Skip this if a link inside navigated: the top entry is then no longer ours.
      if (layerNow() === id) leave()
    }
  }, [open, id])
}

/** Whether an entry is being removed; ends with `popstate`. */
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
