import { useEffect, useState } from 'react'

/**
 * Returns the focus to what had it when the layer was mounted, even if the element was replaced meanwhile. A
 * page that moved the focus itself keeps it.
 */
export function useFocusReturn(): void {
  // While rendering, because a field inside may take the focus in the same commit.
  const [opener] = useState(openerNow)
  useEffect(
    () => () => {
      if (opener) requestAnimationFrame(() => restore(opener))
    },
    [opener],
  )
}

interface Opener {
  readonly element: HTMLElement
  /** The elements around it, the innermost first. */
  readonly around: readonly HTMLElement[]
}

function openerNow(): Opener | null {
  const element = document.activeElement
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
  // What replaces it can be out of view.
  target?.focus({ preventScroll: isUsable })
}
