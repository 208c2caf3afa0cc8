import { expect, test } from 'vitest'
import { clockText } from './durations.ts'

test('a countdown shows zero only when it has ended', () => {
  expect([1, 0, -5000].map((ms) => clockText(ms))).toEqual(['0:01', '0:00', '0:00'])
})

test('durations have a long and a short form', () => {
  const ms = ((2 * 24 + 4) * 3600 + 12 * 60 + 9) * 1000
  expect(clockText(ms, (days) => `${days} d`)).toBe('2 d 04:12:09')
  expect(clockText(ms)).toBe('52:12:09')
  expect(clockText(252_000)).toBe('4:12')
})
