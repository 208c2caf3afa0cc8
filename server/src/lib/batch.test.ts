import { expect, test } from 'vitest'
import { createBatcher } from './batch.ts'
import { UnavailableError } from './errors.ts'

function gate() {
  const steps: (() => void)[] = []
  const opened = new Promise<void>((resolve) => {
    steps.push(resolve)
  })
  return { open: () => steps.forEach((step) => step()), opened }
}

test('items of one event loop turn are batched, and each gets its own result', async () => {
  const runs: number[][] = []
  const double = createBatcher<number, number>({
    run: async (items) => {
      runs.push([...items])
      return items.map((item) => item * 2)
    },
    maxBatch: 10,
    maxQueue: 10,
  })
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
  expect(runs).toEqual([[1, 2, 3]])
  expect(await double(4)).toBe(8)
})

test('items that arrive during a run are batched into the next ones, at most maxBatch each', async () => {
  const runs: number[][] = []
  const first = gate()
  const started = gate()
  const echo = createBatcher<number, number>({
    run: async (items) => {
      runs.push([...items])
      started.open()
      if (runs.length === 1) await first.opened
      return items
    },
    maxBatch: 2,
    maxQueue: 10,
  })
  const results = [echo(1)]
  await started.opened
  results.push(echo(2), echo(3), echo(4))
  first.open()
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  expect(runs).toEqual([[1], [2, 3], [4]])
})

test('a failed run rejects only its own items', async () => {
  const run = createBatcher<string, string>({
    run: async (items) => {
      if (items.includes('bad')) throw new Error('lost')
      return items
    },
    maxBatch: 1,
    maxQueue: 10,
  })
  const results = await Promise.allSettled([run('bad'), run('good')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('a full queue rejects immediately and accepts items again once it has drained', async () => {
  const hold = gate()
  const run = createBatcher<number, number>({
    run: async (items) => {
      await hold.opened
      return items
    },
    maxBatch: 1,
    maxQueue: 2,
  })
  const kept = [run(1), run(2)]
  await expect(run(3)).rejects.toBeInstanceOf(UnavailableError)
  hold.open()
  expect(await Promise.all(kept)).toEqual([1, 2])
  expect(await run(4)).toBe(4)
})

test('rejects if the number of results differs from the number of items', async () => {
  const run = createBatcher<number, number>({ run: async () => [], maxBatch: 1, maxQueue: 1 })
  await expect(run(1)).rejects.toThrow('another number of results')
})
