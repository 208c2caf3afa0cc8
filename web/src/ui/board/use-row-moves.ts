import { useLayoutEffect, useRef, type RefObject } from 'react'

/** With more, no one can follow, and all rows are in their place at once. */
const MAX_MOVED = 24
const MOVE_MS = 240
/** `--pn-ease`. */
const EASING = 'cubic-bezier(0.2, 0.7, 0.2, 1)'

/**
 * Moves the rows of a list, children with `data-row`, from their old places to their new ones, unless the viewer prefers less
 * motion. `order` has their ids.
 */
export function useRowMoves(list: RefObject<HTMLElement | null>, order: readonly string[]): void {
  const tops = useRef<ReadonlyMap<string, number>>(new Map())
  const key = order.join()
  useLayoutEffect(() => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const before = tops.current
    const after = rows.map((row) => [row, row.dataset['row'] ?? '', row.offsetTop] as const)
    tops.current = new Map(after.map(([, id, top]) => [id, top]))
    const moved = after.filter(([, id, top]) => before.has(id) && before.get(id) !== top)
    if (moved.length > MAX_MOVED || prefersLessMotion()) return
    for (const [row, id, top] of moved) {
      const from = `translateY(${(before.get(id) ?? top) - top}px)`
      row.animate([{ transform: from }, { transform: 'none' }], { duration: MOVE_MS, easing: EASING })
    }
  }, [list, key])
}

function prefersLessMotion(): boolean {
  return (
    document.documentElement.dataset['motion'] === 'reduced' ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
