import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { isSameSeen, newOf, withSeen } from './seen.ts'

const NOW = 1_800_000_000_000

test('nothing is new on the first visit; later challenges are new for ten minutes', () => {
  const first = withSeen(undefined, ['a', 'b'], NOW)
  expect(newOf(first, NOW)).toEqual([])
  const second = withSeen(first, ['a', 'b', 'c'], NOW + MINUTE_MS)
  expect(newOf(second, NOW + 10 * MINUTE_MS)).toEqual(['c'])
  expect(newOf(second, NOW + 11 * MINUTE_MS)).toEqual([])
})

test('after a first visit to an empty list, all later challenges are new', () => {
  expect(newOf(withSeen(withSeen(undefined, [], NOW), ['a'], NOW), NOW)).toEqual(['a'])
})

test('removed challenges are dropped, and an unchanged list changes nothing', () => {
  const seen = withSeen(undefined, ['a', 'b'], NOW)
  expect(isSameSeen(seen, withSeen(seen, ['b', 'a'], NOW + MINUTE_MS))).toBe(true)
  expect(isSameSeen(seen, withSeen(seen, ['a'], NOW + MINUTE_MS))).toBe(false)
  expect(isSameSeen(undefined, {})).toBe(false)
})
