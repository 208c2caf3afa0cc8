import { expect, test } from 'vitest'
import { runMany, type ManyState } from './run-many.ts'

test('all items run, at most four at a time, and failures are collected', async () => {
  let running = 0
  let most = 0
  let last: ManyState<number> | undefined
  await runMany([1, 2, 3, 4, 5, 6, 7], {
    run: async (item) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return item % 3 === 0 ? 'no' : null
    },
    onProgress: (state) => (last = state),
    signal: new AbortController().signal,
  })
  expect(most).toBe(4)
  expect(last?.done).toBe(7)
  expect(last?.failures.map(({ item }) => item)).toEqual([3, 6])
})

test('no further item is started after an abort', async () => {
  const stop = new AbortController()
  const done: number[] = []
  await runMany([1, 2, 3, 4, 5, 6, 7, 8, 9], {
    run: async (item) => {
      done.push(item)
      stop.abort()
      return null
    },
    onProgress: () => {},
    signal: stop.signal,
  })
  expect(done.length).toBeLessThanOrEqual(4)
})
