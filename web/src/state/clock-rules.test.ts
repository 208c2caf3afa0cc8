import { expect, test } from 'vitest'
import { offsetFrom, sampleOf, withSample, type Sample } from './clock-rules.ts'

const noon = Date.UTC(2030, 4, 2, 12)
const learn = (samples: readonly Sample[]) => samples.reduce<readonly Sample[]>(withSample, [])

test('the offset compares the date with the midpoint of the round trip', () => {
  const sample = sampleOf({ date: noon + 60_000, ageS: 0, sentAt: noon, receivedAt: noon + 1000 })
  expect(sample).toEqual({ offsetMs: 60_000, tripMs: 1000 })
})

test('the time that a response spent in a cache is added', () => {
  const sample = sampleOf({ date: noon - 30_000, ageS: 30, sentAt: noon, receivedAt: noon + 1000 })
  expect(sample.offsetMs).toBe(0)
})

test('the fastest of the last eight responses determines the offset', () => {
  const slow = { offsetMs: 61_000, tripMs: 3000 }
  const fast = { offsetMs: 60_200, tripMs: 20 }
  expect(offsetFrom(learn([slow, fast, slow]))).toBe(60_200)
  expect(offsetFrom(learn([fast, ...Array.from({ length: 8 }, () => slow)]))).toBe(61_000)
})

test('the next response corrects the offset after a clock was changed', () => {
  const before = { offsetMs: 0, tripMs: 10 }
  const after = { offsetMs: 120_000, tripMs: 900 }
  expect(offsetFrom(learn([before, before, after]))).toBe(120_000)
})

test('the offset is 0 below half a second and without samples', () => {
  expect(offsetFrom(learn([{ offsetMs: -499, tripMs: 10 }]))).toBe(0)
  expect(offsetFrom([])).toBe(0)
})
