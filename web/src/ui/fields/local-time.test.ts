import { expect, test } from 'vitest'
import { echoOf } from './local-time.ts'

test('a time is formatted in the page language, regardless of the browser language', () => {
  const at = Date.UTC(2026, 4, 9, 12, 30)
  expect(echoOf(at, 'en').local).toMatch(/May \d/)
  expect(echoOf(at, 'de').local).toMatch(/\.05\.2026/)
  expect(echoOf(at, 'de').utc).toBe('2026-05-09 12:30')
})
