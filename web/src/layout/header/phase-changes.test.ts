import { expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { phaseChangeBetween } from './phase-changes.ts'

const start = Date.UTC(2030, 4, 2, 12)
const times = { startTime: start, endTime: start + 3_600_000 }

test.each([
  [start - 10 * MINUTE_MS, 'tenMinutesToStart'],
  [start - MINUTE_MS, 'oneMinuteToStart'],
  [start, 'started'],
  [start + 50 * MINUTE_MS, 'tenMinutesToEnd'],
  [start + 59 * MINUTE_MS, 'oneMinuteToEnd'],
  [start + 60 * MINUTE_MS, 'over'],
] as const)('the second of %d announces %s, the seconds around it nothing', (at, change) => {
  expect(phaseChangeBetween(times, at - SECOND_MS, at)).toBe(change)
  expect(phaseChangeBetween(times, at - 2 * SECOND_MS, at - SECOND_MS)).toBeNull()
  expect(phaseChangeBetween(times, at, at + SECOND_MS)).toBeNull()
})

test('after a sleep only the latest phase change is announced', () => {
  expect(phaseChangeBetween(times, start - 20 * MINUTE_MS, start + MINUTE_MS)).toBe('started')
})
