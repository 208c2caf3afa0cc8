import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { keepLog } from '../../../server/test/log.ts'
import { keepPulling } from './loop.ts'
import type { Job } from './service.ts'

const jobOf = (id: number): Job => ({
  id: String(id),
  challengeId: 'c',
  configRevision: 'r',
  userId: 't',
  submittedAt: '',
  flag: '',
  flags: [],
  inputs: {},
  instancerInstances: [],
})

function startLoop(pull: () => Promise<Job | null>, concurrency = 1) {
  const stop = new AbortController()
  const open: { job: Job; finish: () => void }[] = []
  const { log, lines } = keepLog()
  const doJob = (job: Job) => new Promise<void>((finish) => void open.push({ job, finish }))
  const ended = keepPulling(
    { service: { pull }, log, concurrency, pollIntervalMs: 3_600_000, doJob },
    stop.signal,
  )
  return { stop, open, lines, ended }
}

test('as many jobs run as may, and the next is pulled as soon as one is done', async () => {
  let pulled = 0
  const { stop, open, ended } = startLoop(async () => jobOf((pulled += 1)), 2)
  await eventually(() => expect(open).toHaveLength(2))
  open[0]!.finish()
  await eventually(() => expect(open).toHaveLength(3))
  expect(pulled).toBe(3)
  stop.abort()
  let isOver = false
  const over = ended.then(() => (isOver = true))
  open[1]!.finish()
  await new Promise(setImmediate)
  // The third still runs.
  expect(isOver).toBe(false)
  for (const { finish } of open) finish()
  await over
})

test('a stop ends the pause of a worker that has nothing to do', async () => {
  const { stop, ended, lines } = startLoop(async () => null)
  stop.abort()
  await ended
  expect(lines).toEqual([])
})

test('a service that cannot be reached is told once, with its reason', async () => {
  const { stop, ended, lines } = startLoop(async () => {
    throw new Error('fetch failed', { cause: new Error('ECONNREFUSED') })
  })
  await eventually(() => expect(lines).toHaveLength(1))
  expect(lines[0]).toMatchObject({ level: 'error', fields: { reason: 'fetch failed: ECONNREFUSED' } })
  stop.abort()
  await ended
})
