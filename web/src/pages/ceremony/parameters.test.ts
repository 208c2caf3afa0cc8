import { expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { readCeremony } from './parameters.ts'

const event = { startTime: 10 * HOUR_MS, endTime: 34 * HOUR_MS, divisions: { open: 'Open' } }
const read = (query: string, more: object = {}) =>
  readCeremony(new URLSearchParams(query), { event: { ...event, ...more }, now: 40 * HOUR_MS })

test('without a period it is the time since the freeze, or else the last hour', () => {
  const usual = { until: 34 * HOUR_MS, limit: 50, division: undefined, pace: 2 }
  expect(read('')).toEqual({ settings: { ...usual, from: 33 * HOUR_MS }, problems: [] })
  const freezeTime = 30 * HOUR_MS
  expect(read('', { freezeTime }).settings).toEqual({ ...usual, from: freezeTime })
  const until = 10 * HOUR_MS + 5
  const early = readCeremony(new URLSearchParams(), { event, now: until })
  expect(early.settings).toMatchObject({ from: 10 * HOUR_MS, until })
})

test('parameters choose the period, the teams, the division and the pace', () => {
  expect(read('from=1&until=2&limit=10&division=open&pace=0.5')).toEqual({
    settings: { from: 1, until: 2, limit: 10, division: 'open', pace: 0.5 },
    problems: [],
  })
})

test.each([
  ['from=5&until=5', 'time'],
  ['from=noon', 'time'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['pace=0', 'pace'],
  ['pace=fast', 'pace'],
  ['division=none', 'division'],
  ['speed=2', 'unknown'],
])('%s is refused', (query, problem) => {
  expect(read(query).problems).toEqual([problem])
})
