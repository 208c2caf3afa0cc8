import { inPlace } from '../../paths.ts'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { keepOfList, listMemory } from './list-memory.ts'
import { isSilent, viewOf, withView, type View } from './list-rules.ts'

/**
 * The view of the list. It stands in the address; an address that says nothing gets what was chosen here last, so that
 * it shows others the same when it is copied.
 */
export function useView() {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const view = viewOf(search)
  const isUnsaid = isSilent(search)
  useEffect(() => {
    const kept = viewOf(new URLSearchParams(listMemory.read().view))
    if (!isUnsaid || isSilent(withView(new URLSearchParams(), kept))) return
    setSearch((now) => withView(now, kept), { replace: true, preventScrollReset: true, state })
    // Once for each address that says nothing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isUnsaid])
  const change = (changes: Partial<View>) => {
    setSearch(
      (now) => {
        const next = { ...viewOf(now), ...changes }
        // What is searched for is not a habit.
        keepOfList({ view: withView(new URLSearchParams(), { ...next, query: '' }).toString() })
        return withView(now, next)
      },
      { ...inPlace(changes), state },
    )
  }
  return { search, view, change }
}
