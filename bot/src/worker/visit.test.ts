import { expect, test } from 'vitest'
import { recordLog } from '../../../server/test/log.ts'
import { jobOf } from '../../test/jobs.ts'
import type { Report, VisitOrder } from '../protocol.ts'
import { makeVisit } from './visit.ts'
import type { Visitor } from './visitors.ts'

const plan = {
  inputs: {},
  timeoutMilliseconds: 60_000,
  requireInstancerInstancesRunning: false,
  maxLogLines: 10,
  maxLogValueChars: 100,
}
const order: VisitOrder = {
  code: '',
  job: jobOf(),
}

/** A visitor whose processes send these reports and use this much memory. */
function visitorOf(reports: readonly Report[], memoryBytes = 0): Visitor & { readonly ends: () => number } {
  let hear = (_report: Report): void => {}
  let ends = 0
  return {
    listen: (listener) => (hear = listener),
    begin: async () => reports.forEach((report) => hear(report)),
    gone: new Promise(() => {}),
    measureMemory: async () => memoryBytes,
    end: async () => {
      ends += 1
      return true
    },
    ends: () => ends,
  }
}

function makeVisitBy(visitor: Visitor) {
  const { log, lines } = recordLog()
  const task = { visitor, plan, order, signal: new AbortController().signal, onStarted: () => {} }
  return { lines, end: makeVisit(task, { log, now: () => 0, maxMemoryBytes: 1024 * 1024 }) }
}

test("an author's code can write only a limited amount to the worker's log", async () => {
  const note: Report = { type: 'note', level: 'info', line: 'x'.repeat(100_000), extra: 'y'.repeat(100_000) }
  const { lines, end } = makeVisitBy(
    visitorOf([...Array.from({ length: 1000 }, () => note), { type: 'ended' }]),
  )
  expect(await end).toMatchObject({ isDone: true })
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { job: 'j' } })
  expect(JSON.stringify(lines).length).toBeLessThan(600_000)
})

test('a visit that uses too much memory is ended with all its processes', async () => {
  const visitor = visitorOf([{ type: 'started' }], 2 * 1024 * 1024)
  expect(await makeVisitBy(visitor).end).toMatchObject({
    isDone: false,
    logs: expect.stringContaining('The visit took more than 1 MiB of memory.'),
  })
  expect(visitor.ends()).toBe(1)
})
