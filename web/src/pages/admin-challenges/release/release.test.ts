import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { isTimeMissing, NO_TIME, quickReleases, visibilityOf, withVisibility } from './release.ts'

const start = 100 * HOUR_MS
const hidden = { hidden: true, releaseTime: null }

test('a scheduled release without a time stays scheduled and differs from visible now', () => {
  const cleared = { hidden: false, releaseTime: NO_TIME }
  expect(visibilityOf(cleared)).toBe('scheduled')
  expect(isTimeMissing(cleared)).toBe(true)
  // Drafts are stored as JSON in the browser between visits.
  const kept = JSON.parse(JSON.stringify(cleared)) as typeof cleared
  expect(visibilityOf(kept)).toBe('scheduled')
  expect(isTimeMissing(kept)).toBe(true)
  expect(visibilityOf({ hidden: false, releaseTime: null })).toBe('now')
})

test('a missing release time is cleared when another visibility is chosen', () => {
  const cleared = { hidden: false, releaseTime: NO_TIME }
  expect(withVisibility('hidden', cleared, { start, now: 0 })).toEqual(hidden)
  expect(withVisibility('now', cleared, { start, now: 0 })).toEqual({ hidden: false, releaseTime: null })
  const said = { hidden: false, releaseTime: 7 }
  expect(withVisibility('hidden', said, { start, now: 0 })).toEqual({ hidden: true, releaseTime: 7 })
})

test('suggested release times are never in the past', () => {
  const offered = (now: number) => withVisibility('scheduled', hidden, { start, now }).releaseTime
  expect(offered(0)).toBe(start)
  expect(offered(start + 1)).toBe(start + HOUR_MS + MINUTE_MS)
  expect(withVisibility('scheduled', hidden, { start: undefined, now: HOUR_MS }).releaseTime).toBe(
    2 * HOUR_MS,
  )
  const names = (now: number) => quickReleases({ start, now }).map(({ name }) => name)
  expect(names(0)).toEqual(['start', 'hour', 'sixHours'])
  expect(names(start)).toEqual(['hour', 'sixHours'])
  expect(names(start + 6 * HOUR_MS)).toEqual([])
})
