import { expect, test } from 'vitest'
import { runMany, type ManyState } from './run-many.ts'

test('all are done, never more than four at once, and failures are collected', async () => {
  let underway = 0
  let most = 0
  let last: ManyState<number> | undefined
  await runMany([1, 2, 3, 4, 5, 6, 7], {
    deed: async (item) => {
      underway += 1
      most = Math.max(most, underway)
      await Promise.resolve()
      underway -= 1
      return item % 3 === 0 ? 'no' : null
    },
    onProgress: (state) => (last = state),
    signal: new AbortController().signal,
  })
  expect(most).toBe(4)
  expect(last?.done).toBe(7)
  expect(last?.failures.map(({ item }) => item)).toEqual([3, 6])
})

test('a stop begins no further one', async () => {
  const stop = new AbortController()
  const done: number[] = []
  await runMany([1, 2, 3, 4, 5, 6, 7, 8, 9], {
    deed: async (item) => {
      done.push(item)
      stop.abort()
      return null
    },
    onProgress: () => {},
    signal: stop.signal,
  })
  expect(done.length).toBeLessThanOrEqual(4)
})
