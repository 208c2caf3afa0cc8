import { useEffect, useRef } from 'react'

/**
 * Returns the focus to what had it when the layer opened, however the layer closes: also if it is unmounted, and if the
 * element was replaced meanwhile. A page that moved the focus itself keeps it.
 */
export function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<Opener | null>(null)
  // While rendering, because a field inside may take the focus in the same commit.
  if (isOpen) opener.current ??= openerNow()
  useEffect(() => {
    if (!isOpen) opener.current = null
    return () => {
      const last = opener.current
      if (isOpen && last) requestAnimationFrame(() => restore(last))
    }
  }, [isOpen])
}

/** Open layers, the innermost last. */
const layers: object[] = []

/** Escape closes the innermost layer, unless a field inside uses the key. */
export function useEscapeCloses(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    const layer = {}
    layers.push(layer)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || layers.at(-1) !== layer) return
      // Menus and lists of Mantine mark what closes them.
      const isTaken =
        event.target instanceof Element && event.target.matches('[data-mantine-stop-propagation=true]')
      if (!isTaken) close.current()
    }
    // In the capture phase, in which the layer inside is still open.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      layers.splice(layers.indexOf(layer), 1)
    }
  }, [isOpen])
}

interface Opener {
  readonly element: HTMLElement
  /** The elements around it, the innermost first. */
  readonly around: readonly HTMLElement[]
}

function openerNow(): Opener | null {
  const active = document.activeElement
  // The items of a menu disappear with it.
  const menu = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const element = menu ? document.getElementById(menu) : active
  if (!(element instanceof HTMLElement) || element === document.body) return null
  const around: HTMLElement[] = []
  for (let next = element.parentElement; next && next !== document.body; next = next.parentElement)
    around.push(next)
  return { element, around }
}

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

function restore({ element, around }: Opener): void {
  const active = document.activeElement
  if (active !== null && active !== document.body) return
  const isUsable = element.isConnected && element.getClientRects().length > 0
  const place = around.find((each) => each.isConnected)
  const target = isUsable ? element : place?.querySelector<HTMLElement>(FOCUSABLE)
  target?.focus({ preventScroll: true })
}
