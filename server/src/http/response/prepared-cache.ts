import { LRUCache } from 'lru-cache'
import { countLookups } from '../../lib/cache-counts.ts'
import { mayUseCaches } from '../../lib/caching.ts'
import type { Prepared } from './prepared.ts'

/** Identifies a version of the data: equal versions have equal responses. */
export type StateName = string

/** Caches the result of `compute` for the last requested state. */
export function memoizeLatest<S, V>(compute: (source: S) => V): (state: StateName, source: S) => V {
  let cached: { readonly state: StateName; readonly value: V } | null = null
  return (state, source) => {
    if (!mayUseCaches()) return compute(source)
    if (cached?.state !== state) cached = { state, value: compute(source) }
    return cached.value
  }
}

/**
 * An LRU cache of prepared responses of one state, cleared when another state is requested, or with a state of each key. Callers with the same state
 * and key get the same object, so it is compressed once for all of them.
 */
export interface PreparedCache {
  get(state: StateName, key: string, render: () => Prepared): Prepared
  /** Returns the page if it is cached for this state. */
  find(state: StateName, key: string): Prepared | undefined
}

export interface CacheBounds {
  /** Of its counts in the metrics. */
  readonly name: string
  /** Maximum number of pages. */
  readonly max: number
  /** Maximum bytes of all pages together. */
  readonly maxSize: number
  /** The state of a page is that of its key alone, so another state replaces this page and no other. */
  readonly statePerKey?: boolean
}

export function preparedCache({ name, statePerKey = false, ...bounds }: CacheBounds): PreparedCache {
  const pages = new LRUCache<string, Kept>(bounds)
  const countLookup = countLookups(name, bounds.max)
  let current: StateName | null = null

  function kept(state: StateName, key: string): Prepared | undefined {
    const found = pages.get(key)
    return found?.state === state ? found.page : undefined
  }

  return {
    get(state, key, render) {
      if (!mayUseCaches()) return render()
      if (!statePerKey && state !== current) pages.clear()
      current = state
      const found = kept(state, key)
      countLookup(found !== undefined)
      if (found) return found
      const page = render()
      pages.set(key, { state, page }, { size: page.body.length })
      return page
    },
    find(state, key) {
      const found = mayUseCaches() ? kept(state, key) : undefined
      // A page that is not found is rendered with `get`, which counts the miss.
      if (found) countLookup(true)
      return found
    },
  }
}

interface Kept {
  readonly state: StateName
  readonly page: Prepared
}
