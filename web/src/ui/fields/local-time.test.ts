import { expect, test } from 'vitest'
import { durationText, fromLocalText, toLocalText, zoneOf } from './local-time.ts'

const HOUR = 3_600_000

test.each([
  ['2026-11-28 18:00', new Date(2026, 10, 28, 18, 0).getTime()],
  [' 2026-1-2 3:04 ', new Date(2026, 0, 2, 3, 4).getTime()],
  ['2026-11-28T18:00:30', new Date(2026, 10, 28, 18, 0, 30).getTime()],
  ['2026-11-28T18:00:30.250Z', Date.UTC(2026, 10, 28, 18, 0, 30)],
  ['2026-11-28 18:00 UTC', Date.UTC(2026, 10, 28, 18, 0)],
  ['2026-11-28 18:00+02:00', Date.UTC(2026, 10, 28, 16, 0)],
  ['2026-11-28 18:00 -0330', Date.UTC(2026, 10, 28, 21, 30)],
  ['2028-02-29 00:00', new Date(2028, 1, 29).getTime()],
  ['', null],
  ['   ', null],
])('reads %j', (text, at) => {
  expect(fromLocalText(text)).toBe(at)
})

test.each([
  '2026-11-28',
  '18:00',
  '2026-11-28 18',
  '2026-11-28 24:00',
  '2026-11-28 18:60',
  '2026-13-01 00:00',
  '2026-00-10 00:00',
  '2026-02-29 10:00',
  '2026-11-00 10:00',
  'tomorrow',
  '28.11.2026 18:00',
  '1764352800',
  '2026-11-28 18:00 CET',
  '2026-11-28 18:00+2',
  '2026-11-2818:00',
])('%j is not a complete time', (text) => {
  expect(fromLocalText(text)).toBeNaN()
})

test('what is shown is read back', () => {
  for (const at of [new Date(2026, 4, 9, 7, 5), new Date(2026, 11, 31, 23, 59, 7)]) {
    expect(fromLocalText(toLocalText(at.getTime()))).toBe(at.getTime())
  }
  expect(toLocalText(new Date(2026, 4, 9, 7, 5).getTime())).toBe('2026-05-09 07:05')
})

test.each([
  [29 * HOUR, '1 day 5 hr', '1 Tag 5 Std.'],
  [-2 * HOUR, '2 hr', '2 Std.'],
  [48 * HOUR + 60_000, '2 days', '2 Tage'],
  [90_000, '2 min', '2 Min.'],
  [0, '0 min', '0 Min.'],
])('a duration of %d ms is %s', (ms, english, german) => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  expect(plain(durationText(ms, 'en'))).toBe(english)
  expect(plain(durationText(ms, 'de'))).toBe(german)
})

test('the zone is shown only where it differs from UTC', () => {
  const at = Date.UTC(2026, 4, 9, 12, 30)
  const isUtc = new Date(at).getTimezoneOffset() === 0
  expect(zoneOf(at)?.utc ?? null).toBe(isUtc ? null : '2026-05-09 12:30')
})
