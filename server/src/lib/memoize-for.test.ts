import { expect, test } from 'vitest'
import { memoizeFor } from './memoize-for.ts'

test('calls within the time share a value, later ones get a new one', async () => {
  let now = 0
  let runs = 0
  const ask = memoizeFor(
    1000,
    () => now,
    async () => ++runs,
  )
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  now = 999
  expect(await ask()).toBe(1)
  now = 1000
  expect(await ask()).toBe(2)
})

test('a run that takes longer than the time is shared', async () => {
  let now = 0
  let runs = 0
  const { promise, resolve } = withResolvers()
  const ask = memoizeFor(
    1000,
    () => now,
    () => promise.then(() => ++runs),
  )
  const first = ask()
  now = 5000
  const second = ask()
  resolve()
  expect(await Promise.all([first, second])).toEqual([1, 1])
})

test('a failure is reported and not cached', async () => {
  let runs = 0
  const ask = memoizeFor(
    1000,
    () => 0,
    async () => {
      runs += 1
      if (runs === 1) throw new Error('away')
      return runs
    },
  )
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})

/** Node 20 has no Promise.withResolvers. */
function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
