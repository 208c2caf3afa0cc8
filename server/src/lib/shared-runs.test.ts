import { expect, test } from 'vitest'
import { createSharedRuns } from './shared-runs.ts'

/** A run that the test completes. */
function held() {
  const share = createSharedRuns<number>()
  const ends: (() => void)[] = []
  let runs = 0
  const run = () => {
    const number = ++runs
    return new Promise<number>((resolve) => ends.push(() => resolve(number)))
  }
  return { call: (key: string) => share(key, run), end: () => ends.shift()?.(), runs: () => runs }
}

test('calls during a run share the next one', async () => {
  const { call, end, runs } = held()
  const first = call('a')
  const others = [call('a'), call('a'), call('a')]
  expect(runs()).toBe(1)
  end()
  expect(await first).toBe(1)
  end()
  expect(await Promise.all(others)).toEqual([2, 2, 2])
  expect(runs()).toBe(2)
})

test('keys do not wait for each other', async () => {
  const { call, end } = held()
  const both = [call('a'), call('b')]
  end()
  end()
  expect(await Promise.all(both)).toEqual([1, 2])
})

test('a failed run rejects only its own callers, and the next one runs', async () => {
  const share = createSharedRuns<number>()
  const failed = share('a', () => Promise.reject(new Error('away')))
  const next = share('a', () => Promise.resolve(7))
  await expect(failed).rejects.toThrow('away')
  expect(await next).toBe(7)
})
