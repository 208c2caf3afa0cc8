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
 * An LRU cache of prepared responses of one state, cleared when another state is requested. Callers with the same state
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
}

export function preparedCache({ name, ...bounds }: CacheBounds): PreparedCache {
  const pages = new LRUCache<string, Prepared>(bounds)
  const countLookup = countLookups(name, bounds.max)
  let current: StateName | null = null
  return {
    get(state, key, render) {
      if (!mayUseCaches()) return render()
      if (state !== current) {
        pages.clear()
        current = state
      }
      const found = pages.get(key)
      countLookup(found !== undefined)
      if (found) return found
      const page = render()
      pages.set(key, page, { size: page.body.length })
      return page
    },
    find(state, key) {
      const found = state === current && mayUseCaches() ? pages.get(key) : undefined
      // A page that is not found is rendered with `get`, which counts the miss.
      if (found) countLookup(true)
      return found
    },
  }
}
