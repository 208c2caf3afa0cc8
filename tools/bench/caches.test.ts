import { expect, test } from 'vitest'
import { createMetrics } from '../../server/src/metrics/metrics.ts'
import { cachesOf, hitRates, refuseMatchingCapacity } from './caches.ts'

async function cachesWith(hits: number, misses: number) {
  const caches = new Map([
    ['lists', { capacity: 512, hits, misses }],
    ['bodies', { capacity: Infinity, hits: 0, misses: 1 }],
  ])
  const { text } = createMetrics({
    ofProcess: false,
    gather: null,
    boardStalenessMs: () => 0,
    worldTeams: () => 0,
    outboxPending: () => 0,
    connections: () => 0,
    overload: () => 0,
    openCircuits: () => [],
    caches: () => caches,
    bodyBytes: () => 0,
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
  })
  return cachesOf(await text())
}

test('reads hit rates from the metrics of the server', async () => {
  const [before, after] = [await cachesWith(100, 100), await cachesWith(175, 125)]
  expect(after.get('bodies')).toEqual({ capacity: null, hits: 0, misses: 1 })
  expect(hitRates(before, after, 100)).toBe('lists 75')
  expect(hitRates(before, after, 100_000)).toBe('')
})

test('refuses as many readers as a cache has room for', async () => {
  const caches = await cachesWith(0, 0)
  for (const readers of [500, 512, 530])
    expect(() => refuseMatchingCapacity(caches, readers)).toThrow('the cache of lists')
  for (const readers of [50, 10_000]) refuseMatchingCapacity(caches, readers)
})
