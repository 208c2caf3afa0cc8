import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryBuckets } from './buckets.ts'

const size = { burst: 3, windowMs: 3000 }

test('starts full, then gains one token each window / burst milliseconds', async () => {
  let now = 1_800_000_000_000
  const buckets = createMemoryBuckets({ now: () => now })
  const take = () => buckets.take('key', size)
  expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 1000])
  now += 999
  expect(await take()).toBe(1)
  now += 1
  expect(await take()).toBe(0)
  expect(await take()).toBe(1000)
  now += 60_000
  expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 1000])
})

test('keys do not share tokens', async () => {
  const buckets = createMemoryBuckets({ now: () => 5 })
  const one = { burst: 1, windowMs: 10 }
  expect(await buckets.take('a', one)).toBe(0)
  expect(await buckets.take('b', one)).toBe(0)
  expect(await buckets.take('a', one)).toBe(10)
})

test('a bucket is full again when the clock is set back', async () => {
  let now = 1_800_000_000_000
  const buckets = createMemoryBuckets({ now: () => now })
  await buckets.take('key', size)
  now -= 3_600_000
  for (let taken = 0; taken < size.burst; taken += 1) expect(await buckets.take('key', size)).toBe(0)
  expect(await buckets.take('key', size)).toBeGreaterThan(0)
})

test('never admits more than the burst plus refilled tokens, and returns the exact wait', async () => {
  const sizes = fc.record({
    burst: fc.integer({ min: 1, max: 50 }),
    windowMs: fc.integer({ min: 1, max: 600_000 }),
  })
  const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(sizes, pauses, async (bucket, waits) => {
      const start = 1_800_000_000_000
      let now = start
      let taken = 0
      const buckets = createMemoryBuckets({ now: () => now })
      for (const wait of waits) {
        now += wait
        const waitMs = await buckets.take('key', bucket)
        if (waitMs === 0) taken += 1
        else {
          expect(waitMs).toBeGreaterThanOrEqual(1)
          expect(Number.isInteger(waitMs)).toBe(true)
          now += waitMs
          expect(await buckets.take('key', bucket)).toBe(0)
          taken += 1
        }
        // One microsecond of rounding per token.
        const gained = (now - start) / (bucket.windowMs / bucket.burst - 0.001)
        if (bucket.windowMs / bucket.burst > 0.1)
          expect(taken).toBeLessThanOrEqual(bucket.burst + gained + 1e-6)
      }
    }),
  )
})

test('a flood of keys keeps memory bounded and the most recent buckets', async () => {
  const buckets = createMemoryBuckets({ now: () => 5, maxKeys: 100 })
  const one = { burst: 1, windowMs: 1000 }
  for (let i = 0; i < 10_000; i += 1) await buckets.take(`key ${i}`, one)
  expect(await buckets.take('key 9999', one)).toBe(1000)
  expect(await buckets.take('key 0', one)).toBe(0)
})

test('no one gets a full bucket by taking from 100,000 others', async () => {
  let now = 1_800_000_000_000
  const buckets = createMemoryBuckets({ now: () => now })
  while ((await buckets.take('own', size)) === 0);
  for (let i = 0; i < 100_100; i += 1) {
    if (i % 1000 === 0) now += 1
    await buckets.take(`other ${i}`, size)
  }
  expect(await buckets.take('own', size)).toBe(1000 - 101)
})
