import { expect, test } from 'vitest'
import { echoOf } from './local-time.ts'

test('an instant is echoed in the language of the page, whatever the browser speaks', () => {
  const at = Date.UTC(2026, 4, 9, 12, 30)
  expect(echoOf(at, 'en').local).toMatch(/May \d/)
  expect(echoOf(at, 'de').local).toMatch(/\.05\.2026/)
  expect(echoOf(at, 'de').utc).toBe('2026-05-09 12:30')
})
