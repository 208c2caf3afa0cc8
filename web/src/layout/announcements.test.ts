import { expect, test } from 'vitest'
import { momentBetween } from './announcements.ts'

const start = Date.UTC(2030, 4, 2, 12)
const times = { startTime: start, endTime: start + 3_600_000 }
const second = 1000
const minute = 60 * second

test.each([
  [start - 10 * minute, 'tenMinutesToStart'],
  [start - minute, 'oneMinuteToStart'],
  [start, 'started'],
  [start + 50 * minute, 'tenMinutesToEnd'],
  [start + 59 * minute, 'oneMinuteToEnd'],
  [start + 60 * minute, 'over'],
] as const)('the second of %d says %s, those around it nothing', (at, moment) => {
  expect(momentBetween(times, at - second, at)).toBe(moment)
  expect(momentBetween(times, at - 2 * second, at - second)).toBeNull()
  expect(momentBetween(times, at, at + second)).toBeNull()
})

test('after a sleep only the latest is told', () => {
  expect(momentBetween(times, start - 20 * minute, start + minute)).toBe('started')
})
