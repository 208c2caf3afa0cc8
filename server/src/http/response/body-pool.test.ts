import { expect, test } from 'vitest'
import { createBodyPool } from './body-pool.ts'

test('a buffer is used again once it was put back, and never by two at a time', () => {
  const pool = createBodyPool()
  const [first, second] = [pool.take(5000), pool.take(5000)]
  expect(first).not.toBe(second)
  expect(first.length).toBeGreaterThanOrEqual(5000)
  pool.release(first)
  expect(pool.take(6000)).toBe(first)
  expect(pool.take(6000)).not.toBe(first)
})

test('what waits is bounded, and large buffers are not kept', () => {
  const pool = createBodyPool()
  const taken = Array.from({ length: 1000 }, () => pool.take(4096))
  for (const buffer of taken) pool.release(buffer)
  const again = new Set(Array.from({ length: 1000 }, () => pool.take(4096)))
  const reused = taken.filter((buffer) => again.has(buffer)).length
  expect(reused).toBe((2 * 1024 * 1024) / 4096)
  const large = pool.take(1_000_000)
  pool.release(large)
  expect(pool.take(1_000_000)).not.toBe(large)
})
