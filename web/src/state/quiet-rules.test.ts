import { expect, test } from 'vitest'
import { quietAfter } from './quiet-rules.ts'

test('without a word of the server the longest wait doubles from 5 to 60 seconds, any part of it drawn', () => {
  const longest = [0, 1, 2, 3, 4, 50].map((before) => quietAfter({ retryAfterMs: null, before, chance: 1 }))
  expect(longest).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect(quietAfter({ retryAfterMs: null, before: 3, chance: 0.25 })).toBe(10_000)
})

test('what the server names is obeyed, within a minute', () => {
  expect(quietAfter({ retryAfterMs: 7000, before: 4, chance: 0 })).toBe(7000)
  expect(quietAfter({ retryAfterMs: 7000, before: 4, chance: 1 })).toBe(8000)
  expect(quietAfter({ retryAfterMs: 3_600_000, before: 0, chance: 0 })).toBe(60_000)
})
