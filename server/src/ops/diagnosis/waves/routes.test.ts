import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { limits } from '@pennant/contract/limits.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { readWaveCheck, startWaveCheck } from '@pennant/contract/wave-checks.ts'
import { createWave, moveWave } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { botConfig, botSettings, workerOf } from '../../../../test/bot-contest.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { instancerToken, startFakeInstancer, type FakeInstancer } from '../../../../test/fake-instancer.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { sendJson, startHttpService } from '../../../../test/http-service.ts'
import { readConfig } from '../../../config/read-config.ts'
import { openChecks } from '../../../wiring/kinds.ts'

const withInstancer = ({ url: apiUrl }: FakeInstancer) => ({
  instancers: { one: { name: 'instancers/http', options: { apiUrl, authToken: instancerToken } } },
})

const settings = {
  challengeIntegrationId: 'web-1',
  config: {},
  expose: [{ kind: 'http', hostPrefix: 'a', containerName: 'a', containerPort: 80 }],
  timeoutMilliseconds: 3_600_000,
}

async function waveOf(contest: Contest, { token }: Member, wave: { name?: string; challengeIds?: string[] }) {
  const { name = 'Round 2', challengeIds = [] } = wave
  const openAt = contest.clock.now() + 3_600_000
  const made = await contest.call(createWave, {
    token,
    body: { data: { name, openAt, challengeIds, force: true } },
  })
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  return made.data.wave
}

async function read(contest: Contest, { token }: Member, id: string) {
  const response = await contest.call(readWaveCheck, { token, params: { id } })
  if (response.kind !== 'goodWaveCheck') throw new Error(response.kind)
  return response.data
}

async function check(contest: Contest, admin: Member, id: string) {
  const started = await contest.call(startWaveCheck, { token: admin.token, params: { id } })
  expect(started.kind).toBe('goodWaveCheckStart')
  return await eventually(async () => {
    const state = await read(contest, admin, id)
    expect(state.state).toBe('finished')
    return state
  }, 50)
}

/** What needs work, as `<check>: <severity>`. */
function findingsOf({ challenges }: Awaited<ReturnType<typeof read>>, id: string): string[] {
  const found = challenges.find((each) => each.id === id)?.checks ?? []
  return found.filter(({ severity }) => severity !== 'ok').map(({ name, severity }) => `${name}: ${severity}`)
}

async function upload({ call }: Contest, { token }: Member) {
  const form = new FormData()
  form.append('files', new File(['content'], 'handout.txt'))
  const { data } = await call(uploadFilesV2, { token, form })
  return (data as { name: string; url: string; size: number }[])[0]!
}

test('a sound challenge passes; an edit makes the results outdated, a move of the wave does not', async () => {
  await using engine = await startFakeInstancer()
  await using service = await startHttpService((_asked, response) =>
    sendJson(response, 200, {
      kind: 'ok',
      inputs: {},
      timeoutMilliseconds: 1000,
      requireInstancerInstancesRunning: false,
    }),
  )
  const adminBot = {
    provider: {
      ...botConfig.adminBot.provider,
      options: { ...botConfig.adminBot.provider.options, endpoint: service.url },
    },
  }
  await using contest = await startContest({ config: { ...withInstancer(engine), adminBot } })
  const admin = await contest.admin()
  const file = await upload(contest, admin)
  const row = { instancerConfig: settings, adminBotConfig: botSettings, files: [file] }
  await putChallenge(contest.db, challengeRow('sound', { name: 'Sound', ...row }))
  await contest.call(submitFlag, {
    token: admin.token,
    params: { id: 'sound' },
    body: { flag: 'flag{sound}' },
  })
  const wave = await waveOf(contest, admin, { challengeIds: ['sound'] })
  expect(await read(contest, admin, wave.id)).toMatchObject({
    state: 'never',
    startedAt: null,
    challenges: [{ id: 'sound', name: 'Sound', state: 'unchecked', checks: [] }],
  })
  const worker = workerOf(contest)
  await contest.call(startWaveCheck, { token: admin.token, params: { id: wave.id } })
  const finished = await eventually(async () => {
    await worker.drain()
    const state = await read(contest, admin, wave.id)
    expect(state.state).toBe('finished')
    return state
  }, 50)
  const [sound] = finished.challenges
  expect(sound?.checks.map(({ name }) => name)).toEqual([
    'wave-visibility',
    'flag-values',
    'admin-bot-code',
    'challenge-flags',
    'flag-trials',
    'flag-secrets',
    'challenge-files',
    'instance-start',
    'admin-bot-visit',
  ])
  expect(finished).toMatchObject({ challenges: [{ state: 'checked' }] })
  expect(sound?.checks.find(({ name }) => name === 'instance-start')?.finding).toMatch(
    / started in \d+ ms and stopped\.$/,
  )
  expect(worker.jobs).toHaveLength(1)
  // Its lifetime was short, in case that no one had stopped it.
  const created = engine.asked.map(
    ({ body }) => JSON.parse(body.toString()) as { kind: string; timeoutMilliseconds?: number },
  )
  expect(created.find(({ kind }) => kind.includes('Create'))?.timeoutMilliseconds).toBe(300_000)
  expect(engine.running.size).toBe(0)

  const { token } = admin
  await contest.call(moveWave, {
    token,
    params: { id: wave.id },
    body: { data: { version: wave.version, byMs: 60_000 } },
  })
  expect((await read(contest, admin, wave.id)).challenges[0]?.state).toBe('checked')
  const body = { data: { flags: [{ provider: 'flags/static', config: { flag: 'flag{other}' } }] } }
  await contest.call(putChallengeV2, { token, params: { id: 'sound' }, body })
  expect((await read(contest, admin, wave.id)).challenges[0]?.state).toBe('outdated')
})

test('each fault is found at its challenge', async () => {
  await using engine = await startFakeInstancer()
  await using contest = await startContest({ config: withInstancer(engine) })
  const admin = await contest.admin()
  const file = await upload(contest, admin)
  await rm(join(contest.app.providers.uploads.servedFolder!, file.url.replace(/^\/uploads\//, '')))
  const flag = (provider: string, config: object) => ({ provider, config: { ...config } })
  const rows = {
    file: { files: [file] },
    none: { flags: [] },
    pattern: { flags: [flag('flags/regex', { pattern: '(' })] },
    mismatch: { flags: [flag('flags/regex', { pattern: '^a$', flagValue: 'b' })] },
    valueless: { flags: [flag('flags/regex', { pattern: '^flag' })] },
    twin: { flags: [flag('flags/static', { flag: 'same' })] },
    other: { flags: [flag('flags/static', { flag: 'same' })] },
    hidden: { hidden: true },
    engine: { instancerConfig: { ...settings, instancer: 'gone' } },
    bot: { adminBotConfig: botSettings },
    after: {},
  }
  for (const [id, row] of Object.entries(rows)) {
    const flags = [flag('flags/static', { flag: `flag{${id}}` })]
    await putChallenge(contest.db, challengeRow(id, { flags, ...row }))
  }
  const body = { data: { prerequisites: ['hidden'] } }
  await contest.call(putChallengeV2, { token: admin.token, params: { id: 'after' }, body })
  const wave = await waveOf(contest, admin, { challengeIds: Object.keys(rows) })
  const state = await check(contest, admin, wave.id)
  const untried = 'flag-trials: warning'
  const found = Object.fromEntries(Object.keys(rows).map((id) => [id, findingsOf(state, id)]))
  expect(found).toEqual({
    file: [untried, 'challenge-files: error'],
    none: ['challenge-flags: error'],
    pattern: ['flag-values: error', untried],
    mismatch: ['flag-values: error', untried],
    valueless: ['flag-values: unchecked', untried],
    twin: [untried, 'flag-secrets: warning'],
    other: [untried, 'flag-secrets: warning'],
    hidden: ['wave-visibility: warning', untried],
    engine: [untried, 'instance-start: error'],
    bot: ['admin-bot-code: error', untried, 'admin-bot-visit: unchecked'],
    after: ['wave-prerequisites: warning', untried],
  })
})

test('an engine that fails is reported, and a stopped server leaves no instance', async () => {
  await using engine = await startFakeInstancer()
  await using contest = await startContest({ config: withInstancer(engine) })
  const admin = await contest.admin()
  await putChallenge(contest.db, challengeRow('web', { instancerConfig: settings }))
  const wave = await waveOf(contest, admin, { challengeIds: ['web'] })
  engine.mood = 'failing'
  const failed = await check(contest, admin, wave.id)
  expect(findingsOf(failed, 'web')).toContain('instance-start: error')

  engine.mood = 'well'
  const config = readConfig([{ source: 'test', values: { tokenKey: Buffer.alloc(32).toString('base64') } }])
  const process = openChecks(config, contest.app.stores, contest.app.providers)
  expect(await process.start(wave.id, { actorId: admin.id, ip: '127.0.0.1' })).toBe('begun')
  await eventually(() => expect(engine.running.size).toBe(1))
  expect((await read(contest, admin, wave.id)).state).toBe('running')
  await process.close()
  expect(engine.running.size).toBe(0)
  expect(await read(contest, admin, wave.id)).toMatchObject({
    state: 'interrupted',
    finishedAt: null,
    challenges: [{ state: 'unchecked' }],
  })
})

test('one wave at a time is checked, until its process was killed', async () => {
  await using contest = await startContest()
  const admin = await contest.admin()
  const [one, two] = [
    await waveOf(contest, admin, { name: 'One' }),
    await waveOf(contest, admin, { name: 'Two' }),
  ]
  // Another process checks the first one.
  await contest.db.query(sql`
    insert into wave_checks (wave_id, run_id, started_at, alive_at)
    values (${one.id}, 'elsewhere', clock_timestamp(), clock_timestamp())`)
  const start = (id: string) => contest.call(startWaveCheck, { token: admin.token, params: { id } })
  expect(await start(two.id)).toMatchObject({ kind: 'badWaveCheckBusy', data: { waveId: one.id } })
  expect(await start(one.id)).toMatchObject({ kind: 'goodWaveCheckStart', data: { state: 'running' } })
  await contest.db.query(sql`update wave_checks set alive_at = clock_timestamp() - interval '2 minutes'`)
  expect((await read(contest, admin, one.id)).state).toBe('interrupted')
  await check(contest, admin, two.id)
  await check(contest, admin, one.id)
  const entries = await contest.db.query(sql`select from admin_actions where action = 'wave.check'`)
  expect(entries).toHaveLength(2)
})

test('reading and starting need their permissions, and starts are limited', async () => {
  await using contest = await startContest()
  const admin = await contest.admin()
  const { id } = await waveOf(contest, admin, {})
  const reader = await contest.admin(permissions.challsRead)
  const params = { id }
  expect((await contest.call(readWaveCheck, { token: reader.token, params })).kind).toBe('goodWaveCheck')
  expect((await contest.call(startWaveCheck, { token: reader.token, params })).kind).toBe('badPerms')
  const other = await contest.admin(permissions.usersWrite)
  expect((await contest.call(readWaveCheck, { token: other.token, params })).kind).toBe('badPerms')
  const unknown = { token: admin.token, params: { id: 'nowhere' } }
  expect((await contest.call(readWaveCheck, unknown)).kind).toBe('badWave')
  for (let sent = 0; sent < limits.organiserJobs.burst; sent++)
    expect((await contest.call(startWaveCheck, unknown)).kind).toBe('badWave')
  expect((await contest.call(startWaveCheck, unknown)).kind).toBe('badRateLimit')
})
