import {
  adminBotWorkerRouteList,
  completeAdminBotJob,
  failAdminBotJob,
  MAX_LOGS_LENGTH,
  pullAdminBotJob,
  readAdminBotQueue,
  readAdminBotSource,
} from '@pennant/contract/admin-bot-worker.ts'
import { listAdminBotJobs, readAdminBotJob, readAdminBotLogs } from '@pennant/contract/admin-bot.ts'
import { deleteChallenge } from '@pennant/contract/admin-challenges.ts'
import { addressOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import {
  addBotChallenge,
  botSecret,
  botSettings,
  goodInputs,
  jobTimeoutMs,
  readBotAudit,
  startBotContest,
  submit,
  submitLater,
  workerOf,
} from '../../../../test/bot-contest.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { checkResponse } from '../../../../test/strict.ts'

const token = botSecret

async function pull({ call }: Contest) {
  const result = await call(pullAdminBotJob, { token, query: {} })
  if (result.kind !== 'goodAdminBotJobPull') throw new Error(result.kind)
  return result.data.job
}

async function depth({ call }: Contest): Promise<number> {
  const result = await call(readAdminBotQueue, { token })
  if (result.kind !== 'goodAdminBotQueueDepth') throw new Error(result.kind)
  return result.data.depth
}

/** Sends any request and checks the response against the contract. */
async function ask(
  { url }: Contest,
  route: Route,
  init: { token?: string; body?: string } = {},
): Promise<string> {
  const params = { id: 'x' }
  const body = init.body ?? (route.body ? '{}' : undefined)
  const response = await fetch(url + addressOf(route, { params, query: {} }), {
    method: route.method,
    ...(init.token === undefined ? {} : { headers: { authorization: `Bearer ${init.token}` } }),
    ...(body === undefined ? {} : { body }),
  })
  const result = (await response.json()) as { kind: string }
  checkResponse(route, response, result)
  return result.kind
}

test('the worker routes reject every token if no admin bot is configured', async () => {
  await using contest = await startContest()
  for (const route of adminBotWorkerRouteList)
    expect(await ask(contest, route, { token })).toBe('badEndpoint')
})

test('only the secret gives access to the worker routes, not a team or admin token', async () => {
  await using contest = await startBotContest()
  const admin = await contest.admin()
  for (const route of adminBotWorkerRouteList) {
    expect(await ask(contest, route)).toBe('badToken')
    for (const wrong of [admin.token, `${botSecret}x`, 'x'])
      expect(await ask(contest, route, { token: wrong })).toBe('badToken')
  }
})

test.each([completeAdminBotJob, failAdminBotJob])('$path enforces its limits', async (route) => {
  await using contest = await startBotContest()
  for (const body of ['', '{']) expect(await ask(contest, route, { token, body })).toBe('badJson')
  const logs = (length: number) => JSON.stringify({ logs: '\u0001'.repeat(length) })
  for (const body of ['[]', '{"logs":1}', logs(MAX_LOGS_LENGTH + 1)])
    expect(await ask(contest, route, { token, body })).toBe('badBody')
  expect(await ask(contest, route, { token, body: ' '.repeat(8 * 1024 * 1024 + 1) })).toBe('badBodySize')
  // Unknown job, with logs of the maximum length.
  expect(await ask(contest, route, { token, body: logs(MAX_LOGS_LENGTH) })).toBe('badEndpoint')
})

test('a pulled job has everything that a visit needs', async () => {
  await using contest = await startBotContest()
  const flags = [
    { provider: 'flags/static', config: { flag: 'flag{a}' } },
    { provider: 'flags/dynamic', config: { base: 'flag{b}', mode: 'tail' } },
  ]
  await addBotChallenge(contest, 'rich', { flags })
  const team = await contest.team()
  const id = await submitLater(contest, team, 'rich')
  expect(await depth(contest)).toBe(1)
  expect(await pull(contest)).toEqual({
    id,
    challengeId: 'rich',
    configRevision: 'r1',
    userId: team.id,
    submittedAt: new Date(contest.clock.now()).toISOString(),
    flag: 'flag{a}',
    flags: [
      { provider: 'flags/static', flag: 'flag{a}' },
      { provider: 'flags/dynamic', flag: expect.stringMatching(/^flag\{b_[0-9a-f]{10}\}$/) },
    ],
    inputs: goodInputs,
    instancerInstances: [],
  })
  expect(await depth(contest)).toBe(0)
  expect(await pull(contest)).toBeNull()
  expect(await contest.call(readAdminBotJob, { token: team.token, params: { id: 'rich' } })).toMatchObject({
    data: { job: { id, status: 'running', queuePosition: null } },
  })
  // Neither the log nor the responses to the team contain its flags.
  expect(JSON.stringify(contest.logLines)).not.toMatch(/flag\{|bot-secret/)
})

test('a job of a challenge without flags has an empty flag', async () => {
  await using contest = await startBotContest()
  await addBotChallenge(contest, 'bare', { flags: [] })
  await submitLater(contest, await contest.team(), 'bare')
  expect(await pull(contest)).toMatchObject({ flag: '', flags: [] })
})

test('of 64 concurrent submissions of a team, one becomes a job', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  const results = await Promise.all(Array.from({ length: 64 }, () => submit(contest, team)))
  expect(results.filter(({ kind }) => kind === 'goodAdminBotJobSubmitted')).toHaveLength(1)
  expect(results.filter(({ kind }) => kind === 'badRateLimit')).toHaveLength(63)
  expect(await depth(contest)).toBe(1)
})

test('if two processes check before either has queued a job, the index admits one submission', async () => {
  await using contest = await startBotContest()
  await using other = await startBotContest({ beside: contest })
  const teams = await Promise.all(Array.from({ length: 20 }, () => contest.team()))
  const results = await Promise.all(
    teams.map((team) => Promise.all([submit(contest, team), submit(other, team)])),
  )
  for (const pair of results)
    expect(pair.map(({ kind }) => kind).sort()).toEqual(['badAdminBotConfig', 'goodAdminBotJobSubmitted'])
  expect(await depth(contest)).toBe(20)
})

async function queueMany(contest: Contest, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push(await submitLater(contest, await contest.team()))
  return ids
}

test('two workers run a hundred jobs, each job once, oldest first', async () => {
  await using contest = await startBotContest()
  const ids = await queueMany(contest, 100)
  const workers = [workerOf(contest), workerOf(contest, () => ({ ends: 'failed', logs: 'x' }))]
  await Promise.all(workers.map((worker) => worker.drain()))
  const done = workers.map(({ jobs }) => jobs.map(({ job }) => job.id))
  expect(done.flat().toSorted()).toEqual(ids.toSorted())
  for (const own of done) {
    expect(own).toEqual(own.toSorted((a, b) => ids.indexOf(a) - ids.indexOf(b)))
    expect(own.length).toBeGreaterThan(0)
  }
  const ended = await contest.db.query<{ status: string; count: number }>(sql`
    select status, count(*) as count from admin_bot_jobs group by status order by status`)
  expect(ended).toEqual([
    { status: 'completed', count: done[0]?.length },
    { status: 'failed', count: done[1]?.length },
  ])
})

test('a job whose worker died fails after four times its time limit, and the team may submit again', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  const own = { token: team.token, params: { id: 'xss' } }
  const dead = await submitLater(contest, team)
  expect(await pull(contest)).toMatchObject({ id: dead })
  contest.clock.advance(4 * jobTimeoutMs)
  expect(await pull(contest)).toBeNull()
  expect(await submit(contest, team)).toMatchObject({ kind: 'badAdminBotConfig' })
  contest.clock.advance(1)
  expect(await pull(contest)).toBeNull()
  expect(await contest.call(readAdminBotJob, own)).toMatchObject({ data: { job: null } })
  const next = await submitLater(contest, team)
  // The dead worker responds too late.
  const late = await contest.call(completeAdminBotJob, {
    token,
    params: { id: dead },
    body: { logs: 'late' },
  })
  expect(late).toMatchObject({ kind: 'badEndpoint' })
  expect(await pull(contest)).toMatchObject({ id: next })
})

test('a job ends once, and only while it is running', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  const id = await submitLater(contest, team)
  const end = async (route: typeof completeAdminBotJob | typeof failAdminBotJob, logs?: string) =>
    (await contest.call(route, { token, params: { id }, body: logs === undefined ? {} : { logs } })).kind
  expect(await end(completeAdminBotJob)).toBe('badEndpoint')
  await pull(contest)
  const ends = await Promise.all([
    end(failAdminBotJob, 'a'),
    end(completeAdminBotJob, 'b'),
    end(failAdminBotJob, 'a'),
  ])
  expect(ends.toSorted()).toEqual(['badEndpoint', 'badEndpoint', 'goodAdminBotJobUpdate'])
  expect(await end(completeAdminBotJob)).toBe('badEndpoint')
  expect(await end(failAdminBotJob)).toBe('badEndpoint')
})

test('keeps the logs of the latest jobs, and the history covers the same jobs', async () => {
  await using contest = await startBotContest({
    config: { adminBot: { ...botAdmin, maxLogsPerUserChallenge: 2 } },
  })
  const team = await contest.team()
  const other = await contest.team()
  const ids: string[] = []
  const doOne = async (who: Member, logs?: string) => {
    ids.push(await submitLater(contest, who))
    await workerOf(contest, () => ({ ends: 'failed', ...(logs !== undefined && { logs }) })).drain()
  }
  await doOne(other, 'theirs')
  await doOne(team)
  const history = async (who = team) => {
    const result = await contest.call(listAdminBotJobs, { token: who.token, params: { id: 'xss' } })
    if (result.kind !== 'goodAdminBotJobHistory') throw new Error(result.kind)
    return result.data.jobs.map(({ id, hasLogs }) => `${ids.indexOf(id)} ${hasLogs}`)
  }
  // Without logs, the history is empty.
  expect(await history()).toEqual([])
  for (const logs of ['a', 'b', undefined, 'c', '', undefined]) await doOne(team, logs)
  expect(await history()).toEqual(['7 false', '6 true', '5 true'])
  expect(await history(other)).toEqual(['0 true'])
  const logs = async (index: number) => {
    const params = { id: 'xss', jobId: ids[index] ?? '' }
    const result = await contest.call(readAdminBotLogs, { token: team.token, params })
    return result.kind === 'goodAdminBotJobLogs' ? result.data.logs : result.kind
  }
  expect(await Promise.all([2, 3, 4, 5, 6, 7].map(logs))).toEqual([null, null, null, 'c', '', null])
  const rows = await contest.db.query(sql`select from admin_bot_jobs`)
  expect(rows).toHaveLength(8)
})

const botAdmin = {
  provider: { name: 'admin-bots/browser', options: { endpoint: 'http://worker.test', secretKey: botSecret } },
}

test('a queued job runs the source that was current when it was queued', async () => {
  await using contest = await startBotContest()
  await submitLater(contest, await contest.team())
  const edit = (settings: object | null) =>
    contest.db.change(async (tx) => {
      await tx.query(sql`update challenges set admin_bot_config = ${settings && JSON.stringify(settings)}::json
        where id = 'xss'`)
      tx.changed('challenges', ['xss'])
    })
  await edit({ ...botSettings, code: 'second', revision: 'r2' })
  const worker = workerOf(contest)
  await worker.drain()
  expect(worker.jobs).toMatchObject([{ source: botSettings.code, job: { configRevision: 'r1' } }])
  const read = async (revision?: string) => {
    const query = revision === undefined ? {} : { revision }
    const result = await contest.call(readAdminBotSource, { token, params: { id: 'xss' }, query })
    return result.kind === 'goodAdminBotChallengeSource' ? result.data : result.kind
  }
  const present = { sourceCode: 'second', configRevision: 'r2' }
  expect(await read()).toEqual(present)
  expect(await read('r2')).toEqual(present)
  expect(await read('unheard of')).toEqual(present)
  await edit(null)
  expect(await read()).toBe('badEndpoint')
  expect(await read('r1')).toEqual({ sourceCode: botSettings.code, configRevision: 'r1' })
  const long = await contest.call(readAdminBotSource, {
    token,
    params: { id: 'xss' },
    query: { revision: 'x'.repeat(256) },
  })
  expect(long).toMatchObject({ kind: 'badBody' })
})

test('deleting a challenge or team deletes its jobs and keeps the audit', async () => {
  await using contest = await startBotContest()
  await addBotChallenge(contest, 'second')
  const { token: adminToken } = await contest.admin()
  const team = await contest.team()
  await submitLater(contest, team)
  await submitLater(contest, team, 'second')
  const running = await pull(contest)
  await contest.call(deleteChallenge, { token: adminToken, params: { id: 'xss' } })
  const end = { token, params: { id: running?.id ?? '' }, body: { logs: 'x' } }
  expect(await contest.call(completeAdminBotJob, end)).toMatchObject({ kind: 'badEndpoint' })
  expect(await depth(contest)).toBe(1)
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from teams where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  expect(await pull(contest)).toBeNull()
  expect(await contest.db.query(sql`select from admin_bot_jobs`)).toEqual([])
  expect(await readBotAudit(contest)).toHaveLength(2)
})
