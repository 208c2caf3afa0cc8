import { expect, test } from 'vitest'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { configuredTimes, effectiveTimes, isScheduled, NOT_SCHEDULED } from './event-times.ts'

test('without a configured start, the event is not scheduled', () => {
  expect(isScheduled(configuredTimes({}))).toBe(false)
  expect(configuredTimes({ endTime: 5 })).toEqual({ startTime: NOT_SCHEDULED, endTime: 5 })
  expect(isScheduled(configuredTimes({ startTime: 0 }))).toBe(true)
  expect(configuredTimes({ startTime: 7 }).endTime).toBe(7 + 2 * DAY_MS)
})

test('a stored start schedules the event, and its end follows unless one is set', () => {
  const unscheduled = configuredTimes({})
  expect(effectiveTimes(unscheduled, {})).toEqual(unscheduled)
  expect(isScheduled(effectiveTimes(unscheduled, { endTime: 9 }))).toBe(false)
  expect(effectiveTimes(unscheduled, { startTime: 7 })).toEqual({ startTime: 7, endTime: 7 + 2 * DAY_MS })
  expect(effectiveTimes(unscheduled, { startTime: 7, endTime: 9 })).toEqual({ startTime: 7, endTime: 9 })
  expect(effectiveTimes({ startTime: NOT_SCHEDULED, endTime: 20 }, { startTime: 7 }).endTime).toBe(20)
})

test('configured times change only where a stored one replaces them', () => {
  const configured = configuredTimes({ startTime: 100, endTime: 200 })
  expect(effectiveTimes(configured, {})).toEqual(configured)
  expect(effectiveTimes(configured, { startTime: 150 })).toEqual({ startTime: 150, endTime: 200 })
  expect(effectiveTimes(configured, { endTime: 150 })).toEqual({ startTime: 100, endTime: 150 })
})
