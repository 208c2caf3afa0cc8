import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { fitted, timeAt, moved, shareOf, showing, spread, ticksOf, zoomed } from './timeline-maths.ts'

const whole = { from: 0, to: 100 * MINUTE_MS }

test('times and positions are converted to each other', () => {
  const range = { from: 10, to: 30 }
  expect([shareOf(10, range), shareOf(25, range), timeAt(0.75, range)]).toEqual([0, 0.75, 25])
})

test('zooming keeps the time that it is centred on in place', () => {
  const range = zoomed(whole, 0.5, 20 * MINUTE_MS)
  expect(range).toEqual({ from: 10 * MINUTE_MS, to: 60 * MINUTE_MS })
  expect(shareOf(20 * MINUTE_MS, range)).toBe(shareOf(20 * MINUTE_MS, whole))
})

test('a range stays within the whole and has a minimum length', () => {
  expect(fitted(moved({ from: 0, to: 50 * MINUTE_MS }, -1), whole)).toEqual({ from: 0, to: 50 * MINUTE_MS })
  expect(fitted(moved({ from: 60 * MINUTE_MS, to: 90 * MINUTE_MS }, 1), whole)).toEqual({
    from: 70 * MINUTE_MS,
    to: 100 * MINUTE_MS,
  })
  expect(fitted(zoomed(whole, 10, 5), whole)).toEqual(whole)
  expect(fitted({ from: 100 * MINUTE_MS, to: 100 * MINUTE_MS }, whole)).toEqual({
    from: 99 * MINUTE_MS,
    to: 100 * MINUTE_MS,
  })
})

test('a time outside the range is centred, a time inside does not move it', () => {
  const range = { from: 10, to: 30 }
  expect(showing(range, 15)).toBe(range)
  expect(showing(range, 50)).toEqual({ from: 40, to: 60 })
})

test('ticks are at round times, and few', () => {
  const minutesOf = (from: number, to: number) =>
    ticksOf({ from: from * MINUTE_MS, to: to * MINUTE_MS }, 0).map((at) => at / MINUTE_MS)
  expect(minutesOf(0, 1201)).toEqual([0, 360, 720, 1080])
  expect(minutesOf(26, 52)).toEqual([30, 40, 50])
  expect(minutesOf(0, 1)).toEqual([0, 0.25, 0.5, 0.75, 1])
  // Far longer than any event.
  expect(minutesOf(0, 1e6)).toHaveLength(6)
})

test('marks are moved aside until none overlaps, and stay in the room', () => {
  const marks = (...places: number[]) => places.map((at) => ({ at, width: 10 }))
  expect(spread(marks(0, 5, 40), 100)).toEqual([0, 10, 40])
  expect(spread(marks(80, 95, 98), 100)).toEqual([70, 80, 90])
  // Outside of the shown range.
  expect(spread(marks(-50, 50, 300), 100)).toEqual([-50, 50, 300])
})
