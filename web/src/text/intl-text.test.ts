import { expect, test } from 'vitest'
import { relativeText, signedNumber, sizeNumbers, sizeText } from './intl-text.ts'

const textOf = (ms: number, locale = 'en') => relativeText(ms, locale, new Intl.RelativeTimeFormat(locale))

test('differences below three seconds are shown as now', () => {
  expect([textOf(-65_000), textOf(30_000), textOf(-3000)]).toEqual([
    '1 minute ago',
    'in 30 seconds',
    '3 seconds ago',
  ])
  expect([textOf(0), textOf(-2999), textOf(900), textOf(-400, 'de')]).toEqual(['now', 'now', 'now', 'jetzt'])
})

test('a number is kept together with its sign', () => {
  const signed = signedNumber('de')
  expect([1200, -40, 0].map(signed)).toEqual(['\u2066+1.200\u2069', '\u2066-40\u2069', '\u20660\u2069'])
})

test('sizes are shown in the largest unit that they fill', () => {
  const sizes = [0, 1023, 1536, 1_048_576, 104_857_600]
  expect(sizes.map((size) => sizeText(size, sizeNumbers('en')))).toEqual([
    '0 B',
    '1,020 B',
    '1.5 KB',
    '1 MB',
    '100 MB',
  ])
  expect(sizeText(1536, sizeNumbers('de'))).toBe('1,5 KB')
})
