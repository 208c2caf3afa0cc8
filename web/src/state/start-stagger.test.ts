import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  endRefetchAt,
  challengeListRefetchAt,
  jitteredTime,
  outsideRush,
  prepareAt,
} from './start-stagger.ts'

const start = Date.UTC(2030, 4, 2, 12)

test('a team always gets the same delay of at most 1.5 seconds', () => {
  const turns = Array.from({ length: 300 }, (_, at) =>
    challengeListRefetchAt(start, { kind: 'team', id: `team-${at}` }),
  )
  expect(challengeListRefetchAt(start, { kind: 'team', id: 'team-7' })).toBe(turns[7])
  expect(Math.min(...turns)).toBeGreaterThanOrEqual(start)
  expect(Math.max(...turns)).toBeLessThanOrEqual(start + 1500)
  const tenths = new Set(turns.map((at) => Math.floor((at - start) / 150)))
  expect(tenths.size).toBeGreaterThanOrEqual(10)
})

test('another start time gives another delay', () => {
  const delays = [0, 1, 2, 3].map((day) => {
    const at = start + day * 24 * 60 * MINUTE_MS
    return challengeListRefetchAt(at, { kind: 'team', id: 'team-7' }) - at
  })
  expect(new Set(delays).size).toBeGreaterThan(1)
})

test('visitors are spread over four seconds', () => {
  const turns = Array.from({ length: 300 }, (_, at) =>
    challengeListRefetchAt(start, { kind: 'visitor', id: `v${at}` }),
  )
  expect(Math.max(...turns)).toBeGreaterThan(start + 1500)
  expect(Math.max(...turns)).toBeLessThanOrEqual(start + 4000)
})

test('later requests follow after 5 to 20 seconds; the end is spread over 5', () => {
  expect(jitteredTime(start, 0)).toBe(start + 5000)
  expect(jitteredTime(start, 1)).toBe(start + 20_000)
  expect([endRefetchAt(start, 0), endRefetchAt(start, 1)]).toEqual([start, start + 5000])
})

test.each([
  { come: 60, from: 10, until: 1 },
  { come: 5, from: 5, until: 1 },
])('a visitor who arrives $come minutes before the start prefetches in time', ({ come, from, until }) => {
  const now = start - come * MINUTE_MS
  expect(prepareAt(now, start, 0)).toBe(start - from * MINUTE_MS)
  expect(prepareAt(now, start, 1)).toBe(start - until * MINUTE_MS)
})

test('a visitor in the last minute prefetches soon, and after the start not at all', () => {
  expect(prepareAt(start - 20_000, start, 1)).toBe(start - 15_000)
  expect(prepareAt(start, start, 0.5)).toBeNull()
})

test('a refresh during the rush is moved after it, spread over its interval', () => {
  const every = { everyMs: 30_000, chance: 0.5 }
  expect(outsideRush(start, { ...every, dueAt: start - 13_001 })).toBe(start - 13_001)
  expect(outsideRush(start, { ...every, dueAt: start - 13_000 })).toBe(start + 78_000)
  expect(outsideRush(start, { ...every, dueAt: start + 63_000 })).toBe(start + 78_000)
  expect(outsideRush(start, { ...every, dueAt: start + 63_001 })).toBe(start + 63_001)
})
