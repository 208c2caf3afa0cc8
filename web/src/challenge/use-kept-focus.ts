import { useEffect, useRef, type FocusEvent } from 'react'

/** Leads the focus to a place that stays when what has it is taken away: browsers forget where it was. */
export function useKeptFocus() {
  const place = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  })
  const watch = {
    onFocus: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlur: () => {
      focused.current = null
    },
  }
  return { place, watch }
}
