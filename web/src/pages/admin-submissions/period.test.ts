import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { customPeriod, periodOf } from './period.ts'

const now = 1_000 * MINUTE_MS

test('named periods are relative to now or begin at the start', () => {
  expect(periodOf('quarter', 5, now)).toEqual({ name: 'quarter', after: now - 15 * MINUTE_MS, before: null })
  expect(periodOf('start', 5, now)).toEqual({ name: 'start', after: 5, before: null })
  expect(periodOf('', 5, now)).toEqual({ name: 'all', after: null, before: null })
  expect(periodOf('nonsense', 5, now)).toEqual({ name: 'all', after: null, before: null })
})

test('a custom period survives the URL, with either bound missing', () => {
  for (const [after, before] of [
    [7, 9],
    [7, null],
    [null, 9],
    [null, null],
  ] as const)
    expect(periodOf(customPeriod(after, before), 5, now)).toEqual({ name: 'custom', after, before })
})
