import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { recordLog } from '../../test/log.ts'
import { createMemoryBus } from '../kv/memory-bus.ts'
import { runPeriodically, type Job } from './job.ts'

function start(job: Partial<Job> & Pick<Job, 'run'>) {
  const stop = new AbortController()
  const bus = createMemoryBus()
  const { log, lines } = recordLog()
  const ended = runPeriodically({ name: 'test', everyMs: 60_000, ...job }, { bus, log }, stop.signal)
  return { stop, bus, lines, ended }
}

test('runs immediately, then on each wake-up, one run at a time', async () => {
  let runs = 0
  let active = 0
  const { stop, bus, ended } = start({
    channel: 'wake',
    async run() {
      runs += 1
      active += 1
      expect(active).toBe(1)
      await setImmediate()
      // A wake-up during a run causes one more run.
      if (runs === 1) await Promise.all([bus.publish('wake'), bus.publish('wake')])
      active -= 1
    },
  })
  await eventually(() => expect(runs).toBe(2))
  await bus.publish('wake')
  await eventually(() => expect(runs).toBe(3))
  stop.abort()
  await ended
  await bus.publish('wake')
  await setImmediate()
  expect(runs).toBe(3)
})

test('pauses between runs, however often it is woken', async () => {
  let runs = 0
  const { stop, bus, ended } = start({
    channel: 'wake',
    restMs: 60_000,
    run: async () => {
      runs += 1
    },
  })
  await eventually(() => expect(runs).toBe(1))
  await bus.publish('wake')
  await setImmediate()
  expect(runs).toBe(1)
  // The signal ends the pause too.
  stop.abort()
  await ended
})

test('logs a failure once, and the recovery once', async () => {
  let runs = 0
  const { stop, lines, ended } = start({
    everyMs: 1,
    async run() {
      runs += 1
      if (runs < 4) throw new Error('broken')
    },
  })
  await eventually(() => expect(runs).toBeGreaterThan(5))
  stop.abort()
  await ended
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'a job failed; retrying'],
    ['info', 'a job has recovered'],
  ])
})

test('ends after its run and everything that the run started have ended', async () => {
  const steps: string[] = []
  const { stop, ended } = start({
    async run(signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      steps.push('run')
    },
    async end() {
      steps.push('end')
    },
  })
  stop.abort()
  await ended
  expect(steps).toEqual(['run', 'end'])
})
