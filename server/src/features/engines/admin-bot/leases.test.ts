import {
  completeAdminBotJob,
  failAdminBotJob,
  pullAdminBotJob,
  renewAdminBotJob,
} from '@pennant/contract/admin-bot-worker.ts'
import { readAdminBotJob, readAdminBotLogs } from '@pennant/contract/admin-bot.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { botSecret, jobTimeoutMs, startBotContest, submitLater } from '../../../../test/bot-contest.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { checkResponse } from '../../../../test/strict.ts'
import { LEASE_MS } from './worker-store.ts'

const token = botSecret

async function pull({ call }: Contest) {
  const result = await call(pullAdminBotJob, { token, query: { lease: 'true' } })
  if (result.kind !== 'goodAdminBotJobPull') throw new Error(result.kind)
  return result.data.job
}

async function pullLeased(contest: Contest) {
  const job = await pull(contest)
  if (!job?.lease) throw new Error('no job, or none with a lease')
  return { id: job.id, lease: job.lease.token }
}

interface Held {
  readonly id: string
  readonly lease?: string
}

async function renew({ call }: Contest, { id, lease = '' }: Held) {
  return (await call(renewAdminBotJob, { token, params: { id }, body: { lease } })).kind
}

async function end({ call }: Contest, { id, lease }: Held, logs = 'done') {
  const body = { logs, ...(lease !== undefined && { lease }) }
  return (await call(completeAdminBotJob, { token, params: { id }, body })).kind
}

async function statusOf({ db }: Contest, id: string) {
  const [row] = await db.query<{ status: string }>(sql`select status from admin_bot_jobs where id = ${id}`)
  return row?.status
}

test('a job whose worker died is run by another worker and ends once', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  const id = await submitLater(contest, team)
  const dead = await pullLeased(contest)
  expect(dead.id).toBe(id)
  contest.clock.advance(LEASE_MS)
  expect(await pull(contest)).toBeNull()
  contest.clock.advance(1)
  const next = await pullLeased(contest)
  expect(next.id).toBe(id)
  expect(next.lease).not.toBe(dead.lease)
  // The lost lease, no lease and a wrong lease are all rejected.
  for (const late of [dead, { id }, { id, lease: 'x' }])
    expect(await end(contest, late, 'late')).toBe('badEndpoint')
  const failing = { token, params: { id }, body: { lease: dead.lease } }
  expect((await contest.call(failAdminBotJob, failing)).kind).toBe('badEndpoint')
  expect(await renew(contest, dead)).toBe('badEndpoint')
  expect(await end(contest, next)).toBe('goodAdminBotJobUpdate')
  expect(await end(contest, next)).toBe('badEndpoint')
  const params = { id: 'xss', jobId: id }
  expect(await contest.call(readAdminBotLogs, { token: team.token, params })).toMatchObject({
    data: { logs: 'done' },
  })
})

test('a requeued job keeps its position in the queue', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  const first = await submitLater(contest, team)
  const held = await pullLeased(contest)
  const second = await submitLater(contest, await contest.team())
  contest.clock.advance(LEASE_MS + 1)
  // No worker is left to pull, so the server itself requeues the job.
  await eventually(async () => expect(await statusOf(contest, held.id)).toBe('queued'))
  const own = { token: team.token, params: { id: 'xss' } }
  expect(await contest.call(readAdminBotJob, own)).toMatchObject({
    data: { job: { id: first, status: 'queued', queuePosition: 1 } },
  })
  expect((await pullLeased(contest)).id).toBe(first)
  expect((await pullLeased(contest)).id).toBe(second)
})

test('a worker that renews its lease keeps the job until the maximum run time', async () => {
  await using contest = await startBotContest()
  await submitLater(contest, await contest.team())
  const held = await pullLeased(contest)
  const lifetime = 4 * jobTimeoutMs + 120_000
  for (let passed = 0; passed + LEASE_MS < lifetime; passed += LEASE_MS) {
    contest.clock.advance(LEASE_MS)
    expect(await renew(contest, held)).toBe('goodAdminBotJobRenewed')
  }
  contest.clock.advance(LEASE_MS)
  expect(await renew(contest, held)).toBe('badEndpoint')
})

test('a job fails after three workers lost their lease', async () => {
  await using contest = await startBotContest()
  const id = await submitLater(contest, await contest.team())
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await pullLeased(contest)).id).toBe(id)
    contest.clock.advance(LEASE_MS + 1)
  }
  expect(await pull(contest)).toBeNull()
  expect(await statusOf(contest, id)).toBe('failed')
})

test('when a worker ends its job while a pull takes it over, exactly one succeeds', async () => {
  await using contest = await startBotContest()
  for (let round = 0; round < 10; round += 1) {
    await submitLater(contest, await contest.team())
    const held = await pullLeased(contest)
    contest.clock.advance(LEASE_MS + 1)
    const [ended, taken] = await Promise.all([end(contest, held), pull(contest)])
    if (taken?.lease) {
      // Otherwise it is one that an earlier round has left in the queue: a pull skips a job that is being ended.
      if (taken.id === held.id) expect(ended).toBe('badEndpoint')
      expect(await end(contest, { id: taken.id, lease: taken.lease.token })).toBe('goodAdminBotJobUpdate')
    }
    expect(await statusOf(contest, held.id)).not.toBe('running')
  }
})

test('validates lease requests against the contract', async () => {
  await using contest = await startBotContest()
  const params = { id: 'x' }
  const ask = (body: object, bearer = token) =>
    contest.call(renewAdminBotJob, { token: bearer, params, body: body as { lease: string } })
  expect((await ask({})).kind).toBe('badBody')
  expect((await ask({ lease: 'x'.repeat(256) })).kind).toBe('badBody')
  expect((await ask({ lease: 'x' }, 'x')).kind).toBe('badToken')
  const strange = await contest.call(pullAdminBotJob, { token, query: { lease: 'yes' as 'true' } })
  expect(strange.kind).toBe('badBody')
  const sendText = async (text: string) => {
    const response = await fetch(`${contest.url}/api/v2/admin/admin-bot/jobs/x/renew`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: text,
    })
    const result = (await response.json()) as { kind: string }
    checkResponse(renewAdminBotJob, response, result)
    return result.kind
  }
  expect(await sendText('{')).toBe('badJson')
  expect(await sendText(' '.repeat(9 * 1024 * 1024))).toBe('badBodySize')
  await using other = await startContest()
  const unknown = await other.call(renewAdminBotJob, { token, params, body: { lease: 'x' } })
  expect(unknown.kind).toBe('badEndpoint')
})
