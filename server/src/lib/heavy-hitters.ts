/** Number of keys tracked. A count is too low by at most the number of additions divided by this. */
const MAX_KEYS = 64

export interface HeavyHitters {
  add(key: string): void
  /** Keys with their counts, the largest first. */
  top(): readonly (readonly [key: string, count: number])[]
}

/**
 * Counts frequent keys in bounded memory (Misra and Gries): rare keys displace each other, frequent ones stay. We know of
 * no maintained package that does.
 */
export function createHeavyHitters(maxKeys = MAX_KEYS): HeavyHitters {
  const counts = new Map<string, number>()
  return {
    add(key) {
      const count = counts.get(key)
      if (count !== undefined || counts.size < maxKeys) {
        counts.set(key, (count ?? 0) + 1)
        return
      }
      for (const [other, itsCount] of counts) {
        if (itsCount === 1) counts.delete(other)
        else counts.set(other, itsCount - 1)
      }
    },
    top: () => [...counts].sort(([, a], [, b]) => b - a),
  }
}
