import { expect, test } from 'vitest'
import { crossingOf } from './crossing.ts'

const HOUR = 3_600_000
const now = 100 * HOUR
const at = (start: number, end: number) => ({ startTime: now + start * HOUR, endTime: now + end * HOUR })

test.each([
  ['a start that is moved and stays ahead', at(1, 9), at(2, 9), null],
  ['an end that is moved and stays ahead', at(-1, 9), at(-1, 3), null],
  ['a start brought before now', at(1, 9), at(-1, 9), 'OPEN'],
  ['a start put off from before now', at(-1, 9), at(1, 9), 'CLOSE'],
  ['an end brought before now', at(-2, 9), at(-2, -1), 'CLOSE'],
  ['an end put off from before now', at(-2, -1), at(-2, 9), 'OPEN'],
] as const)('%s', (...[, saved, next, word]) => {
  expect(crossingOf(saved, next, now)?.word ?? null).toBe(word)
})
