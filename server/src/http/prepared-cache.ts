import { boundedMap, type Bounds } from '../lib/bounded-map.ts'
import type { Prepared } from './prepared.ts'

/** Names a state of what is read: equal names promise equal answers. */
export type StateName = string

/** Keeps what `make` gave for the last state it was asked for. */
export function keepLatest<S, V>(make: (source: S) => V): (state: StateName, source: S) => V {
  let kept: { readonly state: StateName; readonly value: V } | null = null
  return (state, source) => {
    if (kept?.state !== state) kept = { state, value: make(source) }
    return kept.value
  }
}

/**
 * Prepared answers of one state. All are dropped when another state is asked for, and the longest unused when full.
 * Callers of one state and key get the very same object, so that it is compressed once for all of them.
 */
export interface PreparedCache {
  get(state: StateName, key: string, render: () => Prepared): Prepared
}

export function preparedCache(bounds: Bounds): PreparedCache {
  const pages = boundedMap<Prepared>(bounds)
  let current: StateName | null = null
  return {
    get(state, key, render) {
      if (state !== current) {
        pages.clear()
        current = state
      }
      const found = pages.get(key)
      if (found) return found
      const page = render()
      pages.set(key, page, page.body.length)
      return page
    },
  }
}
