import { expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { crossingOf } from './phase-change.ts'

const now = 100 * HOUR_MS
const at = (start: number, end: number) => ({
  startTime: now + start * HOUR_MS,
  endTime: now + end * HOUR_MS,
})

test.each([
  ['a start that is moved and stays ahead', at(1, 9), at(2, 9), null],
  ['an end that is moved and stays ahead', at(-1, 9), at(-1, 3), null],
  ['a start brought before now', at(1, 9), at(-1, 9), 'OPEN'],
  ['a start put off from before now', at(-1, 9), at(1, 9), 'CLOSE'],
  ['an end brought before now', at(-2, 9), at(-2, -1), 'CLOSE'],
  ['a first start ahead', at(Number.NaN, Number.NaN), at(1, 9), null],
  ['a first start before now', at(Number.NaN, Number.NaN), at(-1, 9), 'OPEN'],
  ['a start that is removed', at(-1, 9), at(Number.NaN, Number.NaN), 'CLOSE'],
  ['an end put off from before now', at(-2, -1), at(-2, 9), 'OPEN'],
] as const)('%s', (...[, saved, next, word]) => {
  expect(crossingOf(saved, next, now)?.word ?? null).toBe(word)
})
