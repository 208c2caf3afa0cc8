import { expect, test } from 'vitest'
import { keepFor } from './keep-for.ts'

test('all who ask within the time get one value, later ones a new one', async () => {
  let now = 0
  let runs = 0
  const ask = keepFor(
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

test('a run that takes longer than the time is shared, not doubled', async () => {
  let now = 0
  let runs = 0
  const { promise, resolve } = withResolvers()
  const ask = keepFor(
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

test('a failure is told and not kept', async () => {
  let runs = 0
  const ask = keepFor(
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
