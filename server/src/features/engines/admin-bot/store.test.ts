import { asTeam } from '../../../../test/acting.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Database } from '../../../db/database.ts'
import { orderedId } from '../../../lib/uuid.ts'
import { addJob, findActiveJob, type NewJob } from './store.ts'
import { finishJob, pullJob } from './worker-store.ts'

const at = Date.UTC(2030, 0, 1)

function newJob(job: Partial<NewJob> = {}): NewJob {
  return {
    id: orderedId(),
    submissionId: orderedId(),
    teamId: 't1',
    challengeId: 'c1',
    ip: '203.0.113.7',
    by: asTeam,
    configRevision: 'r1',
    inputs: { url: 'https://x' },
    flags: [{ provider: 'flags/static', flag: 'flag{x}' }],
    instancerInstances: [],
    timeoutMs: 1_000,
    at,
    ...job,
  }
}

async function contest() {
  const opened = await openTestDatabase()
  await opened.db.query(sql`
    insert into teams (id, name, email, division) select id, id, id || '@teams.test', 'open'
    from unnest(array['t1', 't2']) as t (id)`)
  await opened.db.query(sql`insert into challenges (id) select unnest(array['c1', 'c2'])`)
  return opened
}

function countAudit(db: Database, result: string): Promise<object[]> {
  return db.query(sql`select from submissions where result = ${result}`)
}

test('of 64 concurrent jobs of a team, one is queued and each is in the audit', async () => {
  await using opened = await contest()
  const { db } = opened
  const jobs = Array.from({ length: 64 }, () => newJob())
  const results = await Promise.all(jobs.map((job) => addJob(db, job)))
  expect(results.filter((result) => result === 'queued')).toHaveLength(1)
  expect(results.filter((result) => result === 'active_job')).toHaveLength(63)
  expect(await countAudit(db, 'queued')).toHaveLength(1)
  expect(await countAudit(db, 'active_job')).toHaveLength(63)
  const winner = jobs[results.indexOf('queued')]
  expect(await findActiveJob(db, newJob())).toMatchObject({
    id: winner?.id,
    status: 'queued',
    queuePosition: 1,
  })
})

test('jobs of other teams or other challenges do not block a submission', async () => {
  await using opened = await contest()
  const others = [newJob(), newJob({ teamId: 't2' }), newJob({ challengeId: 'c2' })]
  for (const job of others) expect(await addJob(opened.db, job)).toBe('queued')
  const positions = await Promise.all(others.map((job) => findActiveJob(opened.db, job)))
  expect(positions.map((job) => job?.queuePosition)).toEqual([1, 2, 3])
})

test('reports a team or challenge that was just deleted, and adds no row', async () => {
  await using opened = await contest()
  expect(await addJob(opened.db, newJob({ teamId: 'gone' }))).toBe('no_team')
  expect(await addJob(opened.db, newJob({ challengeId: 'gone' }))).toBe('no_challenge')
  expect(await opened.db.query(sql`select from submissions`)).toEqual([])
})

test('16 workers that pull at the same time never get the same job', async () => {
  await using opened = await contest()
  const { db } = opened
  const jobs = [newJob(), newJob({ teamId: 't2' }), newJob({ challengeId: 'c2' })]
  for (const job of jobs) await addJob(db, job)
  const pulled = await Promise.all(Array.from({ length: 16 }, () => pullJob(db, { at, leaseToken: null })))
  const ids = pulled.flatMap((job) => (job ? [job.id] : []))
  expect(ids.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
})

test('when a pull gives a job up while its worker completes it, exactly one succeeds', async () => {
  await using opened = await contest()
  const { db } = opened
  for (let round = 0; round < 20; round++) {
    await addJob(db, newJob())
    const job = await pullJob(db, { at, leaseToken: null })
    const end = {
      id: job?.id ?? '',
      status: 'completed',
      logs: 'x',
      lease: undefined,
      at,
      maxLogs: 5,
    } as const
    const [isDone, next] = await Promise.all([
      finishJob(db, end),
      pullJob(db, { at: at + 4_001, leaseToken: null }),
    ])
    expect(next).toBeNull()
    const rows = await db.query<{ status: string; logs: string | null }>(sql`
      select status, logs from admin_bot_jobs left join admin_bot_logs on job_id = id where id = ${end.id}`)
    expect(rows).toEqual([isDone ? { status: 'completed', logs: 'x' } : { status: 'failed', logs: null }])
  }
})
