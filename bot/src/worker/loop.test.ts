import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { recordLog } from '../../../server/test/log.ts'
import { jobOf } from '../../test/jobs.ts'
import { keepPulling } from './loop.ts'
import type { Job } from './service.ts'

const numbered = (id: number) => jobOf({ id: String(id) })

function startLoop(pull: () => Promise<Job | null>, concurrency = 1) {
  const stop = new AbortController()
  const open: { job: Job; finish: () => void }[] = []
  const { log, lines } = recordLog()
  const doJob = (job: Job) => new Promise<void>((finish) => void open.push({ job, finish }))
  const ended = keepPulling(
    { service: { pull }, log, concurrency, pollIntervalMs: 3_600_000, doJob },
    stop.signal,
  )
  return { stop, open, lines, ended }
}

test('runs jobs up to the limit and pulls the next as soon as one ends', async () => {
  let pulled = 0
  const { stop, open, ended } = startLoop(async () => numbered((pulled += 1)), 2)
  await eventually(() => expect(open).toHaveLength(2))
  open[0]!.finish()
  await eventually(() => expect(open).toHaveLength(3))
  expect(pulled).toBe(3)
  stop.abort()
  let isOver = false
  const over = ended.then(() => (isOver = true))
  open[1]!.finish()
  await new Promise(setImmediate)
  // The third job is still running.
  expect(isOver).toBe(false)
  for (const { finish } of open) finish()
  await over
})

test('a stop ends the pause of an idle worker', async () => {
  const { stop, ended, lines } = startLoop(async () => null)
  stop.abort()
  await ended
  expect(lines).toEqual([])
})

test('logs an unreachable service once, with the reason', async () => {
  const { stop, ended, lines } = startLoop(async () => {
    throw new Error('fetch failed', { cause: new Error('ECONNREFUSED') })
  })
  await eventually(() => expect(lines).toHaveLength(1))
  expect(lines[0]).toMatchObject({ level: 'error', fields: { reason: 'fetch failed: ECONNREFUSED' } })
  stop.abort()
  await ended
})
