import { Counter, Gauge, type Registry } from 'prom-client'

/** The lookups of each cache since the process started. */
export type CacheSource = () => ReadonlyMap<
  string,
  { readonly capacity: number; readonly hits: number; readonly misses: number }
>

export function addCacheMetrics(registry: Registry, read: CacheSource): void {
  const lookups = new Counter({
    name: 'pennant_cache_lookups_total',
    help: 'Lookups in the caches of this process, by result: hit or miss.',
    labelNames: ['cache', 'result'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const [cache, { hits, misses }] of read()) {
        this.inc({ cache, result: 'hit' }, hits)
        this.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
  const capacities = new Gauge({
    name: 'pennant_cache_capacity',
    help: 'Maximum number of entries of a cache. Some also limit their bytes.',
    labelNames: ['cache'] as const,
    registers: [],
    collect() {
      for (const [cache, { capacity }] of read()) if (capacity !== Infinity) this.set({ cache }, capacity)
    },
  })
  registry.registerMetric(lookups)
  registry.registerMetric(capacities)
}
