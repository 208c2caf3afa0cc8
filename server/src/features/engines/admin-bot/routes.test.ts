import {
  listAdminBotJobs,
  readAdminBotConfig,
  readAdminBotJob,
  readAdminBotLogs,
  readAdminBotStatus,
  submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import { limitOf } from '@pennant/contract/limits.ts'
import { expect, test } from 'vitest'
import {
  addBotChallenge,
  botSecret,
  botSettings,
  goodInputs,
  readBotAudit,
  startBotContest,
  submit,
  submitLater,
  workerOf,
} from '../../../../test/bot-contest.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { startSourceChecker } from '../../../../test/fake-worker.ts'

/** The response kinds of config, status, history, logs and submit, in this order. */
async function requestAll({ call }: Contest, { token }: Member, id: string): Promise<string[]> {
  const params = { id }
  const responses = [
    await call(readAdminBotConfig, { params }),
    await call(readAdminBotJob, { token, params }),
    await call(listAdminBotJobs, { token, params }),
    await call(readAdminBotLogs, { token, params: { id, jobId: 'x' } }),
    await call(submitAdminBotJob, { token, params, body: { inputs: goodInputs } }),
  ]
  return responses.map(({ kind }) => kind)
}

const five = (kind: string) => Array.from({ length: 5 }, () => kind)

test('without an admin bot the routes do not exist', async () => {
  await using contest = await startContest()
  await addBotChallenge(contest, 'xss')
  const team = await contest.team()
  const admin = await contest.admin()
  expect(await requestAll(contest, team, 'xss')).toEqual(five('badEndpoint'))
  expect(await requestAll(contest, team, 'nothing')).toEqual(five('badEndpoint'))
  expect(await contest.call(readAdminBotStatus, { token: admin.token })).toMatchObject({
    kind: 'badEndpoint',
  })
  expect(await contest.call(listChallengesV2, {})).toMatchObject({ data: [{ adminBotInputs: null }] })
})

test('challenges that are not public do not exist, and each route has its own response for those without a bot', async () => {
  await using contest = await startBotContest()
  await addBotChallenge(contest, 'secret', { hidden: true })
  await putChallenge(contest.db, challengeRow('plain'))
  const team = await contest.team()
  expect(await requestAll(contest, team, 'nothing')).toEqual(five('badChallenge'))
  expect(await requestAll(contest, team, 'secret')).toEqual(five('badChallenge'))
  expect(await requestAll(contest, team, 'plain')).toEqual([
    'badEndpoint',
    'goodAdminBotJobStatus',
    'badChallenge',
    'badChallenge',
    'badAdminBotConfig',
  ])
  expect(await readBotAudit(contest)).toEqual([])
})

test('anyone can read the source and the inputs, and organisers the status of the bot', async () => {
  await using contest = await startBotContest()
  const { token } = await contest.admin()
  expect(await contest.call(readAdminBotConfig, { params: { id: 'xss' } })).toMatchObject({
    data: { sourceCode: botSettings.code, fileExtension: '.ts' },
  })
  expect(await contest.call(listChallengesV2, {})).toMatchObject({
    data: [{ adminBotInputs: botSettings.inputs }],
  })
  expect(await contest.call(readAdminBotStatus, { token })).toMatchObject({
    data: { enabled: true, configLanguage: 'typescript' },
  })
})

test('a job moves from the queue to the worker and into the history', async () => {
  await using contest = await startBotContest()
  const { call } = contest
  const team = await contest.team()
  const other = await contest.team()
  const ask = { token: team.token, params: { id: 'xss' } }
  const firstId = await submitLater(contest, other)
  const jobId = await submitLater(contest, team)
  const createdAt = new Date(noon + 20_000).toISOString()
  expect(await call(readAdminBotJob, ask)).toMatchObject({
    data: { job: { id: jobId, status: 'queued', createdAt, queuePosition: 2, logs: null } },
  })
  expect(await call(listAdminBotJobs, ask)).toMatchObject({ data: { jobs: [] } })
  const worker = workerOf(contest, ({ id }) => ({ ends: 'completed', logs: `{"line":"${id}"}` }))
  await worker.drain()
  expect(worker.jobs.map(({ job }) => job.id)).toEqual([firstId, jobId])
  expect(await call(readAdminBotJob, ask)).toMatchObject({ data: { job: null } })
  expect(await call(listAdminBotJobs, ask)).toMatchObject({
    kind: 'goodAdminBotJobHistory',
    data: { jobs: [{ id: jobId, status: 'completed', createdAt, hasLogs: true }] },
  })
  const logsOf = async (token: string, id: string, logsOfJob: string) => {
    const response = await call(readAdminBotLogs, { token, params: { id, jobId: logsOfJob } })
    return response.kind === 'goodAdminBotJobLogs' ? response.data.logs : response.kind
  }
  await addBotChallenge(contest, 'other')
  expect(await logsOf(team.token, 'xss', jobId)).toBe(`{"line":"${jobId}"}`)
  expect(await logsOf(other.token, 'xss', jobId)).toBeNull()
  expect(await logsOf(team.token, 'other', jobId)).toBeNull()
  expect(await logsOf(team.token, 'xss', 'nothing')).toBeNull()
})

test("checks inputs in the author's order, drops unknown inputs and audits refusals", async () => {
  await using contest = await startBotContest()
  // In the author's order, which is not alphabetical.
  const inputs = { url: { pattern: '^https?://' }, a: { pattern: '^\\d+$' } }
  await addBotChallenge(contest, 'two', { inputs })
  const team = await contest.team()
  const ask = async (given: Record<string, string>) => {
    contest.clock.advance(10_000)
    return await submit(contest, team, { id: 'two', inputs: given })
  }
  expect(await ask({ url: 'ftp://x', a: 'x' })).toMatchObject({
    kind: 'badAdminBotConfig',
    data: { error: 'The input url does not match the required format.' },
  })
  expect(await ask({ url: 'http://x' })).toMatchObject({ data: { error: 'The input a is missing.' } })
  expect(await ask({ url: 'http://x', a: '1', more: 'x' })).toMatchObject({
    kind: 'goodAdminBotJobSubmitted',
  })
  const configRevision = botSettings.revision
  expect(await readBotAudit(contest)).toMatchObject([
    {
      result: 'invalid_input',
      relatedId: null,
      details: { inputs: { url: 'ftp://x' }, configRevision, field: 'url' },
    },
    {
      result: 'invalid_input',
      details: { inputs: { url: 'http://x' }, field: 'a', error: 'The input a is missing.' },
    },
    {
      result: 'queued',
      details: { inputs: { url: 'http://x', a: '1' }, configRevision, instancerInstances: [] },
    },
  ])
  expect(JSON.stringify(await readBotAudit(contest))).not.toContain('more')
})

test('a refused submission uses a rate limit token too', async () => {
  await using contest = await startBotContest()
  const team = await contest.team()
  expect(await submit(contest, team, { inputs: {} })).toMatchObject({ kind: 'badAdminBotConfig' })
  expect(await submit(contest, team)).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 10_000 } })
  expect(await readBotAudit(contest)).toHaveLength(1)
  const other = await contest.team()
  expect(await submit(contest, other)).toMatchObject({ kind: 'goodAdminBotJobSubmitted' })
})

test('a team has one job at a time per challenge', async () => {
  await using contest = await startBotContest()
  await addBotChallenge(contest, 'second')
  const team = await contest.team()
  const jobId = await submitLater(contest, team)
  contest.clock.advance(10_000)
  expect(await submit(contest, team)).toMatchObject({ kind: 'badAdminBotConfig' })
  await submitLater(contest, team, 'second')
  expect(await readBotAudit(contest)).toMatchObject([
    { result: 'queued', relatedId: jobId },
    { result: 'active_job', relatedId: null, details: { inputs: goodInputs, configRevision: 'r1' } },
    { result: 'queued' },
  ])
  await workerOf(contest, () => ({ ends: 'failed' })).drain()
  await submitLater(contest, team)
})

const instancers = { instancers: { local: { name: 'instancers/memory' } } }
const instancerConfig = {
  challengeIntegrationId: '',
  config: {},
  expose: [
    {
      kind: 'https',
      hostPrefix: 'web',
      containerName: 'a',
      containerPort: 80,
      shouldDisplay: true,
      title: 'Site',
    },
    { kind: 'tcp', hostPrefix: 'inner', containerName: 'b', containerPort: 81, shouldDisplay: false },
  ],
  timeoutMilliseconds: 60_000,
}

test('a bot that visits an instance requires one that keeps running long enough', async () => {
  await using contest = await startBotContest({ config: instancers })
  const needs = { requireInstancerInstancesRunning: true }
  await addBotChallenge(contest, 'web', { ...needs, instancerConfig })
  await addBotChallenge(contest, 'gone', {
    ...needs,
    instancerConfig: { ...instancerConfig, instancer: 'cluster' },
  })
  await addBotChallenge(contest, 'none', needs)
  const { call, clock } = contest
  const team = await contest.team()
  const ask = async (id = 'web') => await submit(contest, team, { id })
  const notRunning = {
    kind: 'badInstancerState',
    data: { error: 'Start the instance of this challenge first.' },
  }
  expect(await ask()).toMatchObject(notRunning)
  await call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  clock.advance(55_000)
  expect(await ask()).toMatchObject({
    kind: 'badInstancerState',
    data: { error: expect.stringContaining('expires before') },
  })
  clock.advance(10_000)
  await call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  expect(await ask()).toMatchObject(notRunning)
  // A refusal for the instance costs no token.
  clock.advance(3_000)
  expect(await ask()).toMatchObject({ kind: 'goodAdminBotJobSubmitted' })
  expect(await ask('gone')).toMatchObject({ kind: 'badInstancerState' })
  expect(await ask('none')).toMatchObject({ kind: 'goodAdminBotJobSubmitted' })
  const worker = workerOf(contest)
  await worker.drain()
  const endpoints = [
    { type: 'https', host: expect.stringMatching(/^web-/), port: 443, title: 'Site' },
    { type: 'tcp', host: expect.stringMatching(/^inner-/), port: 1337 },
  ]
  // The bot gets endpoints that participants do not see.
  expect(worker.jobs[0]?.job.instancerInstances).toEqual(endpoints)
  expect(worker.jobs[1]?.job.instancerInstances).toEqual([])
  expect(await readBotAudit(contest)).toMatchObject([
    { result: 'bad_instancer_state', details: { status: 'stopped', inputs: goodInputs } },
    { result: 'bad_instancer_state', details: { timeLeftMilliseconds: 5_000 } },
    { result: 'bad_instancer_state', details: { status: 'starting' } },
    { result: 'queued', details: { instancerInstances: endpoints } },
    { result: 'bad_instancer_state', details: { status: null } },
    { result: 'queued' },
  ])
})

test('a protected submission requires a captcha before all other checks', async () => {
  const captcha = {
    provider: { name: 'captcha/static', options: { code: 'human' } },
    protectedEndpoints: ['adminBotSubmit'],
  }
  await using contest = await startBotContest({ config: { captcha } })
  const { token } = await contest.team()
  const ask = (id: string, captchaCode: string) =>
    contest.call(submitAdminBotJob, { token, params: { id }, body: { inputs: goodInputs, captchaCode } })
  expect(await ask('nothing', 'robot')).toMatchObject({ kind: 'badCaptcha' })
  expect(await ask('xss', 'human')).toMatchObject({ kind: 'goodAdminBotJobSubmitted' })
})

test('a wrong captcha costs no job, and no body is read once the team has no calls left', async () => {
  const captcha = {
    provider: { name: 'captcha/static', options: { code: 'human' } },
    protectedEndpoints: ['adminBotSubmit'],
  }
  await using contest = await startBotContest({ config: { captcha } })
  const { token } = await contest.team()
  const ask = async (captchaCode: string, inputs: Record<string, string> = goodInputs) =>
    (await contest.call(submitAdminBotJob, { token, params: { id: 'xss' }, body: { inputs, captchaCode } }))
      .kind
  const tooLong = { url: 'x'.repeat(300_000) }
  expect(await ask('robot', tooLong)).toBe('badBodySize')
  const { burst, windowMs } = limitOf('teamWrites')
  for (let taken = 1; taken < burst; taken++) expect(await ask('robot')).toBe('badCaptcha')
  expect([await ask('human'), await ask('human', tooLong)]).toEqual(['badRateLimit', 'badRateLimit'])
  contest.clock.advance(windowMs)
  expect(await ask('human')).toBe('goodAdminBotJobSubmitted')
})

test("the worker checks the organisers' code, and the derived settings apply immediately", async () => {
  await using checker = await startSourceChecker(botSecret)
  const provider = { name: 'admin-bots/browser', options: { endpoint: checker.url, secretKey: botSecret } }
  await using contest = await startBotContest({ config: { adminBot: { provider } } })
  const { token } = await contest.admin()
  const put = (code: string) =>
    contest.call(putChallengeV2, {
      token,
      params: { id: 'xss' },
      body: { data: { adminBotConfig: { code } } },
    })
  const derived = {
    inputs: { name: { pattern: '.' }, an: { pattern: 'x', flags: 'i' } },
    timeoutMilliseconds: 5_000,
    requireInstancerInstancesRunning: false,
  }
  const code = JSON.stringify(derived)
  expect(await put(code)).toMatchObject({
    kind: 'goodChallengeUpdateV2',
    data: { adminBotConfig: { code, ...derived, revision: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  })
  const listed = await contest.call(listChallengesV2, {})
  const [challenge] = listed.kind === 'goodChallenges' ? listed.data : []
  // In the author's order.
  expect(Object.keys(challenge?.adminBotInputs ?? {})).toEqual(['name', 'an'])
  const refused = await put('nonsense')
  expect(refused).toMatchObject({ kind: 'badAdminBotConfig' })
  expect(JSON.stringify(refused)).not.toContain(botSecret)
})
