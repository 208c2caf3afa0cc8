import type { KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { useShortcuts } from '../../../ui/keys/use-shortcuts.ts'
import { stepFrom } from './rules.ts'

/** Keeps the keyboard focus in the list after navigation. */
const STEP = { keepsFocus: true }

interface ListKeys {
  /** Visible rows in list order. */
  readonly ids: readonly string[]
  readonly current: string | undefined
  readonly search: URLSearchParams
  readonly focusSearch: () => void
  readonly hideSolved: () => void
}

/** Shortcuts of the page, and arrow keys in the list. */
export function useListKeys({ ids, current, search, focusSearch, hideSolved }: ListKeys) {
  const navigate = useNavigate()
  const own = new URLSearchParams(search)
  // The tab belongs to the challenge, not to the list.
  own.delete('tab')
  const step = (by: number) => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-challenge]')?.dataset['challenge']
    const next = stepFrom(ids, focused ?? current, by)
    if (next === undefined) return
    focusRow(next)
    // On narrow screens a challenge is a page of its own, which Enter opens.
    const isBeside = matchMedia('(min-width: 768px)').matches
    if (isBeside) void navigate({ pathname: paths.challenge(next), search: own.toString() }, { state: STEP })
  }
  const back = () => {
    if (current === undefined) return
    void navigate({ pathname: paths.challenges(), search: own.toString() }, { state: STEP })
    document.querySelector<HTMLElement>(`[data-challenge="${CSS.escape(current)}"]`)?.focus()
  }
  useShortcuts({
    '/': focusSearch,
    j: () => step(1),
    k: () => step(-1),
    x: hideSolved,
    Escape: back,
  })
  return (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const isInRows = event.target instanceof Element && event.target.closest('[data-challenge]') !== null
    if (by === undefined || !isInRows || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    step(by)
  }
}

/**
 * A part of a very long list renders a few frames after scrolling near it, or up to two seconds later on a
 * busy machine.
 */
const MAX_FRAMES = 120

/** Focuses a row. In a very long list it may not be rendered yet, so its part is scrolled into view first. */
export function focusRow(id: string, frames = MAX_FRAMES): void {
  const row = document.querySelector<HTMLElement>(`[data-challenge="${CSS.escape(id)}"]`)
  if (row) {
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
    return
  }
  document.querySelector(`[data-rows~="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' })
  if (frames > 0) requestAnimationFrame(() => focusRow(id, frames - 1))
}
