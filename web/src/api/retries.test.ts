import { expect, test } from 'vitest'
import { RequestFailure } from './failure.ts'
import { retryAfter } from './retries.ts'

const failed = (kind: string, status: number) =>
  new RequestFailure({ kind, status, message: '', requestedAt: 0 })
const waitsOf = (error: unknown) => [0, 1, 2, 3, 4].map((count) => retryAfter(error, count, 0.5))

test('network failures and server errors are retried after 1, 2, 5 and 15 seconds', () => {
  for (const error of [failed('network', 0), failed('errorInternal', 500), failed('badRateLimit', 429)]) {
    expect(waitsOf(error)).toEqual([1000, 2000, 5000, 15_000, null])
  }
})

test('badNotStarted is retried after 1, 2 and 4 seconds', () => {
  expect(waitsOf(failed('badNotStarted', 401))).toEqual([1000, 2000, 4000, null, null])
})

test('other errors are not retried', () => {
  expect(waitsOf(failed('badChallenge', 404))).toEqual([null, null, null, null, null])
  expect(waitsOf(new Error('a fault of ours'))).toEqual([null, null, null, null, null])
})

test('retry delays have a jitter of 20 %', () => {
  const error = failed('network', 0)
  expect(retryAfter(error, 2, 0)).toBeCloseTo(4000)
  expect(retryAfter(error, 2, 1)).toBeCloseTo(6000)
})
