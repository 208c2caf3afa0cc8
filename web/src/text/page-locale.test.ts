import { afterEach, expect, test, vi } from 'vitest'
import { byLocale, pageLocale } from './page-locale.ts'

const root = { lang: 'en' }

function openIn(lang: string, languages: readonly string[]): void {
  root.lang = lang
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('navigator', { languages })
}

afterEach(() => vi.unstubAllGlobals())

test('the locale is the page language, with the region of the browser if it matches', () => {
  openIn('de', ['en-US', 'de-AT'])
  expect(pageLocale()).toBe('de-AT')
  openIn('de', ['en-US'])
  expect(pageLocale()).toBe('de')
})

test('a formatter is created once per language', () => {
  openIn('en', ['en-US'])
  const make = vi.fn((locale: string) => new Intl.NumberFormat(locale))
  const numbers = byLocale(make)
  expect([numbers().format(1234), numbers().format(5678)]).toEqual(['1,234', '5,678'])
  expect(make).toHaveBeenCalledTimes(1)
  root.lang = 'de'
  expect(numbers().format(1234)).toBe('1.234')
})
