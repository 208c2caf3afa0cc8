import { expect, test } from 'vitest'
import { fitted, momentAt, moved, shareOf, showing, ticksOf, zoomed } from './timeline-maths.ts'

const MINUTE = 60_000
const whole = { from: 0, to: 100 * MINUTE }

test('an instant has a place and a place an instant', () => {
  const range = { from: 10, to: 30 }
  expect([shareOf(10, range), shareOf(25, range), momentAt(0.75, range)]).toEqual([0, 0.75, 25])
})

test('zooming keeps the instant that it is about in its place', () => {
  const range = zoomed(whole, 0.5, 20 * MINUTE)
  expect(range).toEqual({ from: 10 * MINUTE, to: 60 * MINUTE })
  expect(shareOf(20 * MINUTE, range)).toBe(shareOf(20 * MINUTE, whole))
})

test('a range stays within the whole and is never too short to see', () => {
  expect(fitted(moved({ from: 0, to: 50 * MINUTE }, -1), whole)).toEqual({ from: 0, to: 50 * MINUTE })
  expect(fitted(moved({ from: 60 * MINUTE, to: 90 * MINUTE }, 1), whole)).toEqual({
    from: 70 * MINUTE,
    to: 100 * MINUTE,
  })
  expect(fitted(zoomed(whole, 10, 5), whole)).toEqual(whole)
  expect(fitted({ from: 100 * MINUTE, to: 100 * MINUTE }, whole)).toEqual({
    from: 99 * MINUTE,
    to: 100 * MINUTE,
  })
})

test('what is out of sight comes to the middle, what is in sight moves nothing', () => {
  const range = { from: 10, to: 30 }
  expect(showing(range, 15)).toBe(range)
  expect(showing(range, 50)).toEqual({ from: 40, to: 60 })
})

test('the named instants are round, and few', () => {
  const minutesOf = (from: number, to: number) =>
    ticksOf({ from: from * MINUTE, to: to * MINUTE }, 0).map((at) => at / MINUTE)
  expect(minutesOf(0, 1201)).toEqual([0, 360, 720, 1080])
  expect(minutesOf(26, 52)).toEqual([30, 40, 50])
  expect(minutesOf(0, 1)).toEqual([0, 0.25, 0.5, 0.75, 1])
  // Longer than any event.
  expect(minutesOf(0, 1e6)).toHaveLength(6)
})
