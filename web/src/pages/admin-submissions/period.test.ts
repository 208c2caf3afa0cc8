import { expect, test } from 'vitest'
import { customPeriod, periodOf } from './period.ts'

const MINUTE_MS = 60_000
const now = 1_000 * MINUTE_MS

test('named periods are counted back from now, or from the start', () => {
  expect(periodOf('quarter', 5, now)).toEqual({ name: 'quarter', after: now - 15 * MINUTE_MS, before: null })
  expect(periodOf('start', 5, now)).toEqual({ name: 'start', after: 5, before: null })
  expect(periodOf('', 5, now)).toEqual({ name: 'all', after: null, before: null })
  expect(periodOf('nonsense', 5, now)).toEqual({ name: 'all', after: null, before: null })
})

test('a period of two instants comes back from the address, each may be missing', () => {
  for (const [after, before] of [
    [7, 9],
    [7, null],
    [null, 9],
    [null, null],
  ] as const)
    expect(periodOf(customPeriod(after, before), 5, now)).toEqual({ name: 'custom', after, before })
})
