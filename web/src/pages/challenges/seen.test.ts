import { expect, test } from 'vitest'
import { isSameSeen, newOf, withSeen } from './seen.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

test('the first look finds nothing new; what comes later is new for ten minutes', () => {
  const first = withSeen(undefined, ['a', 'b'], NOW)
  expect(newOf(first, NOW)).toEqual([])
  const second = withSeen(first, ['a', 'b', 'c'], NOW + MINUTE)
  expect(newOf(second, NOW + 10 * MINUTE)).toEqual(['c'])
  expect(newOf(second, NOW + 11 * MINUTE)).toEqual([])
})

test('a first look at an empty list makes all that follows new', () => {
  expect(newOf(withSeen(withSeen(undefined, [], NOW), ['a'], NOW), NOW)).toEqual(['a'])
})

test('what is gone is forgotten, and a look that finds the same changes nothing', () => {
  const seen = withSeen(undefined, ['a', 'b'], NOW)
  expect(isSameSeen(seen, withSeen(seen, ['b', 'a'], NOW + MINUTE))).toBe(true)
  expect(isSameSeen(seen, withSeen(seen, ['a'], NOW + MINUTE))).toBe(false)
  expect(isSameSeen(undefined, {})).toBe(false)
})
