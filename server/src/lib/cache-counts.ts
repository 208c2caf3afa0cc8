/** The lookups of one cache since the process started. */
export interface CacheCounts {
  readonly capacity: number
  hits: number
  misses: number
}

// Bounded: caches have constant names. Caches with the same name are counted together.
const caches = new Map<string, CacheCounts>()

/** Returns what a cache calls at each lookup. `capacity` is its maximum number of entries. */
export function countLookups(name: string, capacity: number): (isHit: boolean) => void {
  const counts = caches.get(name) ?? { capacity, hits: 0, misses: 0 }
  caches.set(name, counts)
  return (isHit) => {
    if (isHit) counts.hits += 1
    else counts.misses += 1
  }
}

/** The counts by name, for the metrics. */
export function cacheCounts(): ReadonlyMap<string, Readonly<CacheCounts>> {
  return caches
}
