import { expect, it } from 'vitest'
import { shortened, timeLabels } from './labels.ts'

const fitsTen = (text: string) => Array.from(text).length <= 10

it.each([
  ['Crew', 'Crew'],
  ['exactly 10', 'exactly 10'],
  ['the quick brown fuzzers', 'the quick…'],
  ['🏴🏴🏴🏴🏴🏴🏴🏴🏴🏴🏴🏴', '🏴🏴🏴🏴🏴🏴🏴🏴🏴…'],
])('shortens %s to what fits', (text, shown) => {
  expect(shortened(text, fitsTen)).toBe(shown)
})

it('formats axis times for the language, with the date where a day begins', () => {
  const evening = new Date(2026, 9, 16, 22, 0).getTime() / 1000
  const times = [evening, evening + 3600, evening + 7200]
  expect(timeLabels(times, 3600, 'en-GB')).toEqual(['22:00\n16 Oct', '23:00', '00:00\n17 Oct'])
  expect(timeLabels(times, 3600, 'de').at(-1)).toBe('00:00\n17. Okt.')
  expect(timeLabels([evening, evening + 30], 30, 'en-GB')).toEqual(['22:00:00\n16 Oct', '22:00:30'])
})
