import { expect, test } from 'vitest'
import { relativeText } from './relative-text.ts'

const textOf = (ms: number, locale = 'en') => relativeText(ms, locale, new Intl.RelativeTimeFormat(locale))

test('differences below three seconds are shown as now', () => {
  expect([textOf(-65_000), textOf(30_000), textOf(-3000)]).toEqual([
    '1 minute ago',
    'in 30 seconds',
    '3 seconds ago',
  ])
  expect([textOf(0), textOf(-2999), textOf(900), textOf(-400, 'de')]).toEqual(['now', 'now', 'now', 'jetzt'])
})
