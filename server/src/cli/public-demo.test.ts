import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { nextReset } from './public-demo.ts'

test('resets are at full hours, and no event of a demo is shorter than half of one', () => {
  const noon = Date.UTC(2030, 0, 1, 12)
  const after = (minutes: number) => (nextReset(noon + minutes * MINUTE_MS, HOUR_MS) - noon) / HOUR_MS
  expect([0, 1, 29, 30].map(after)).toEqual([1, 1, 1, 1])
  expect([31, 59, 60].map(after)).toEqual([2, 2, 2])
})
