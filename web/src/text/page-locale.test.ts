import { afterEach, expect, test, vi } from 'vitest'
import { localeOf } from './page-locale.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  [['en_US', 'en-GB'], 'en', 'en-GB'],
  [['en-', 'en@posix'], 'en', 'en'],
  [['de-AT', 'en'], 'de', 'de-AT'],
  [[], 'de', 'de'],
])('of %j, for %s, the formatters get %s', (languages, language, locale) => {
  vi.stubGlobal('navigator', { languages })
  expect(localeOf(language)).toBe(locale)
})
