// The caches of the server, as its metrics count them.

export interface CacheState {
  /** Null if the cache is bounded by something else. */
  readonly capacity: number | null
  readonly hits: number
  readonly misses: number
}

export type Caches = ReadonlyMap<string, CacheState>

/** Empty if the server does not show its metrics. */
export async function readCaches(url: string): Promise<Caches> {
  const response = await fetch(`${url}/metrics`)
  return response.ok ? cachesOf(await response.text()) : new Map()
}

export function cachesOf(text: string): Caches {
  const caches = new Map<string, CacheState>()
  const lines = text.matchAll(/^pennant_cache_(?:lookups_total|capacity)\{(.*)\} (\S+)$/gm)
  for (const [, labels = '', value] of lines) {
    const name = /cache="([^"]*)"/.exec(labels)?.[1] ?? ''
    const result = /result="(\w+)"/.exec(labels)?.[1]
    const known = caches.get(name) ?? { capacity: null, hits: 0, misses: 0 }
    // Several processes have a line each.
    if (result === 'hit') caches.set(name, { ...known, hits: known.hits + Number(value) })
    else if (result === 'miss') caches.set(name, { ...known, misses: known.misses + Number(value) })
    else caches.set(name, { ...known, capacity: Number(value) })
  }
  return caches
}

/** A number of readers this close to the capacity of a cache shows the capacity, not the server. */
const MARGIN = 0.1

/** Throws if a cache has room for just the readers: one more or less would show another hit rate. */
export function refuseMatchingCapacity(caches: Caches, readers: number): void {
  for (const [name, { capacity }] of caches)
    if (capacity !== null && Math.abs(capacity - readers) <= capacity * MARGIN)
      throw new Error(
        `${readers} readers are as many as the cache of ${name} has room for (${capacity}). Measure another number of teams.`,
      )
}

/** Names and percentages of hits of the caches that were used between two readings. */
export function hitRates(before: Caches, after: Caches, requests: number): string {
  const rates: string[] = []
  for (const [name, { hits, misses }] of after) {
    const from = before.get(name) ?? { hits: 0, misses: 0 }
    const lookups = hits - from.hits + misses - from.misses
    if (lookups >= requests * USED) rates.push(`${name} ${((100 * (hits - from.hits)) / lookups).toFixed(0)}`)
  }
  return rates.join(', ')
}

/** Lookups per request below which a cache has to do with other requests only. */
const USED = 0.02
