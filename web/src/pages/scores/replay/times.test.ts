import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { parsedTime } from '../parsed-time.ts'
import { lastPosition, positionOf, stepOf, timeAt } from './times.ts'

test('the steps are whole multiples of ten seconds, at most 240 of an event', () => {
  expect(stepOf({ startTime: 0, endTime: HOUR_MS })).toBe(20_000)
  expect(stepOf({ startTime: 0, endTime: 2 * DAY_MS })).toBe(12 * MINUTE_MS)
  expect(stepOf({ startTime: 0, endTime: 1000 })).toBe(10_000)
  expect(stepOf({ startTime: 5, endTime: 5 })).toBe(10_000)
})

test('each position shows a time that leads back to it', () => {
  const numbers = integer({ min: 0, max: 3 * DAY_MS })
  assert(
    property(numbers, numbers, integer({ min: 0, max: 400 }), (from, length, wanted) => {
      const period = { from, until: from + length }
      const stepMs = stepOf({ startTime: from, endTime: from + length })
      const last = lastPosition(period, stepMs)
      const position = Math.min(wanted, last)
      const time = timeAt(position, period, stepMs)
      expect(time).toBeGreaterThanOrEqual(from)
      expect(time).toBeLessThanOrEqual(period.until)
      expect(positionOf(time, period, stepMs)).toBe(position)
      expect(timeAt(last, period, stepMs)).toBe(period.until)
    }),
  )
})

test('nonsense in an address is no time', () => {
  expect([null, '', 'now', '-5', '1e9', '5.5', '1792000000000'].map(parsedTime)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    1_792_000_000_000,
  ])
})
