import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work that takes a fixed time, requested all the time for a minute. Returns when it ran. */
async function runsOf(busyMs: number, isDone = true): Promise<number[]> {
  const begun = Date.now()
  const runs: number[] = []
  const elapsedMs = () => Date.now() - begun
  const work = async () => {
    runs.push(elapsedMs())
    return { busyMs, isDone }
  }
  const pace = createPace({ work, elapsedMs })
  for (let passed = 0; passed < 60_000; passed += 50) {
    pace.request()
    await vi.advanceTimersByTimeAsync(50)
  }
  pace.close()
  return runs
}

test('cheap work runs at once and then thirteen times a second', async () => {
  const runs = await runsOf(1)
  expect(runs[0]).toBe(0)
  expect(runs.length).toBeGreaterThan(700)
  expect(runs.length).toBeLessThanOrEqual(801)
})

test('nothing waits for a run that had nothing to do', async () => {
  expect((await runsOf(0, false)).slice(0, 3)).toEqual([0, 50, 100])
})

test('expensive work takes at most a tenth of the time, after two runs in a row', async () => {
  const runs = await runsOf(200)
  expect(runs.slice(0, 2)).toEqual([0, 75])
  expect(runs.length * 200).toBeLessThanOrEqual(60_000 * 0.1 + 450)
})
