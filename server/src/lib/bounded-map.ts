export interface Bounds {
  readonly maxEntries: number
  /** Sum of the sizes that callers name. */
  readonly maxSize: number
}

/** A map that forgets what was used longest ago, by count and by size. */
export interface BoundedMap<V> {
  get(key: string): V | undefined
  set(key: string, value: V, size: number): void
  clear(): void
}

export function boundedMap<V>({ maxEntries, maxSize }: Bounds): BoundedMap<V> {
  // A Map keeps the order of insertion, and each use inserts again: the first entry is the least used.
  const entries = new Map<string, { readonly value: V; readonly size: number }>()
  let total = 0
  const remove = (key: string) => {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, size) {
      remove(key)
      if (size > maxSize) return
      entries.set(key, { value, size })
      total += size
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxSize) break
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      total = 0
    },
  }
}
