import { expect, test } from 'vitest'
import { linearTicks, logShare, logTicks } from './scales.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [59, [0, 20, 40, 60]],
  [60, [0, 20, 40, 60]],
  [3180, [0, 1000, 2000, 3000, 4000]],
])('a linear axis up to %i has few round lines', (most, ticks) => {
  expect(linearTicks(most)).toEqual(ticks)
})

test.each([
  [1, 90, [1, 3, 10, 30, 100]],
  [2, 28, [1, 3, 10, 30]],
  [5, 5, [3, 10]],
  [1, 1, [1, 3]],
])('a logarithmic axis encloses %d to %d', (least, most, ticks) => {
  expect(logTicks(least, most)).toEqual(ticks)
})

test('equal ratios have equal distances', () => {
  expect(logShare(1, [1, 100])).toBe(0)
  expect(logShare(10, [1, 100])).toBeCloseTo(0.5)
  expect(logShare(100, [1, 100])).toBe(1)
})
