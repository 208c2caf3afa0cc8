import { expect, test } from 'vitest'
import { backoffDelay } from './quiet-rules.ts'

test('without Retry-After the maximum delay doubles from 5 to 60 seconds, with full jitter', () => {
  const longest = [0, 1, 2, 3, 4, 50].map((before) => backoffDelay({ retryAfterMs: null, before, chance: 1 }))
  expect(longest).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect(backoffDelay({ retryAfterMs: null, before: 3, chance: 0.25 })).toBe(10_000)
})

test('Retry-After is respected, up to one minute', () => {
  expect(backoffDelay({ retryAfterMs: 7000, before: 4, chance: 0 })).toBe(7000)
  expect(backoffDelay({ retryAfterMs: 7000, before: 4, chance: 1 })).toBe(8000)
  expect(backoffDelay({ retryAfterMs: 3_600_000, before: 0, chance: 0 })).toBe(60_000)
})
