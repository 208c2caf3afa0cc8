import { expect, test } from 'vitest'
import { freshTries, triesLeft, withTry, withWait } from './tries.ts'

const NOW = 1_800_000_000_000

test('each attempt takes a token, and one is restored every five seconds', () => {
  expect(triesLeft(freshTries, NOW)).toBe(5)
  const two = withTry(withTry(freshTries, NOW), NOW)
  expect([0, 4_999, 5_000, 10_000].map((ms) => triesLeft(two, NOW + ms))).toEqual([3, 3, 4, 5])
})

test('the number of attempts left is never negative', () => {
  let tries = freshTries
  for (let at = 0; at < 9; at += 1) tries = withTry(tries, NOW)
  expect([triesLeft(tries, NOW), triesLeft(tries, NOW + 5_000)]).toEqual([0, 1])
})

test('the wait that the server reports overrides the local estimate', () => {
  const held = withWait(3_400, NOW)
  expect([0, 3_399, 3_400, 8_400].map((ms) => triesLeft(held, NOW + ms))).toEqual([0, 0, 1, 2])
  expect([held.waitUntil - NOW, held.waitMs]).toEqual([3_400, 3_400])
})
