import { afterAll, beforeAll, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { adminBotChecks } from '../../server/src/ops/diagnosis/admin-bot.ts'
import type { Subject } from '../../server/src/ops/diagnosis/check.ts'
import { eventually } from '../../server/test/eventually.ts'
import { codeOf, startStage, type Stage } from './stage.ts'

// `pennant doctor --bot`, with real workers.

const NEVER = new AbortController().signal
const [check] = adminBotChecks

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await stage.addChallenge('visit', codeOf(`throw new Error('not the code of the diagnosis')`))
})
afterAll(() => stage[Symbol.asyncDispose]())

function find(subject: Partial<Subject> = {}, signal = NEVER) {
  const { db, clock } = stage.contest
  const config = { adminBot: {} } as Subject['config']
  return check!.run({ config, db, now: clock.now, withBot: true, ...subject } as Subject, signal)
}

async function leftovers() {
  const jobs = await stage.contest.db.query(sql`select id from admin_bot_jobs`)
  const sources = await stage.contest.db.query(
    sql`select revision from admin_bot_sources where revision like 'diagnosis-%'`,
  )
  return [...jobs, ...sources]
}

test('a worker makes the visit of the diagnosis, which leaves nothing behind', async () => {
  expect(await find()).toEqual({
    severity: 'ok',
    finding: expect.stringMatching(/^A worker began the visit after \d+ ms and needed \d+ ms\.$/),
    remedy: '',
  })
  expect(await leftovers()).toEqual([])
})

test('reports that no worker took the visit', async () => {
  const [worker] = stage.workers
  worker!.signal('SIGSTOP')
  try {
    const stop = new AbortController()
    const found = find({}, stop.signal)
    await eventually(async () => expect((await leftovers()).length).toBe(2))
    stop.abort()
    expect(await found).toMatchObject({
      severity: 'error',
      finding: 'No worker took the visit from the queue.',
    })
    expect(await leftovers()).toEqual([])
  } finally {
    worker!.signal('SIGCONT')
  }
})

test('makes no visit unless it is asked for, or without a bot', async () => {
  expect(await find({ withBot: false })).toMatchObject({ severity: 'unchecked' })
  const config = { adminBot: null } as unknown as Subject['config']
  expect(await find({ config })).toMatchObject({
    severity: 'unchecked',
    finding: 'No admin bot is configured.',
  })
})
