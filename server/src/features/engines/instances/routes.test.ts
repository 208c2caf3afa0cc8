import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import {
  extendInstance,
  readInstance,
  readInstancerSchema,
  startInstance,
  stopInstance,
} from '@pennant/contract/instances.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test, vi } from 'vitest'
import type { ChallengeRow } from '../../../world/model.ts'
import type { Lifecycle } from './lifecycle.ts'
import { instanceRoutes } from './routes.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { instancerToken, startFakeInstancer } from '../../../../test/fake-instancer.ts'

const memory = { instancers: { local: { name: 'instancers/memory' } } }

const expose = [
  {
    kind: 'https',
    hostPrefix: 'front',
    containerName: 'a',
    containerPort: 80,
    shouldDisplay: true,
    title: 'Site',
  },
  { kind: 'tcp', hostPrefix: 'hidden', containerName: 'b', containerPort: 81, shouldDisplay: false },
  { kind: 'tcp', hostPrefix: 'back', containerName: 'c', containerPort: 82, shouldDisplay: true },
]
const settings = { challengeIntegrationId: 'web-1', config: {}, expose, timeoutMilliseconds: 60_000 }

/** Fields of the challenge and of its instance settings. */
interface Fields extends Partial<Pick<ChallengeRow, 'hidden' | 'flags'>> {
  readonly [setting: string]: unknown
}

async function addChallenge(
  contest: Contest,
  id: string,
  { hidden, flags, ...config }: Fields = {},
): Promise<void> {
  const instancerConfig = { ...settings, ...config }
  const row = { instancerConfig, ...(hidden && { hidden }), ...(flags && { flags }) }
  await putChallenge(contest.db, challengeRow(id, row))
}

const routes = [readInstance, startInstance, extendInstance, stopInstance] as const

/** The responses of the four routes, in the order of `routes`. */
async function requestAll({ call }: Contest, { token }: Member, id: string) {
  const params = { id }
  return [
    await call(readInstance, { token, params }),
    await call(startInstance, { token, params, body: {} }),
    await call(extendInstance, { token, params, body: {} }),
    await call(stopInstance, { token, params }),
  ] as const
}

const kinds = async (...args: Parameters<typeof requestAll>) =>
  (await requestAll(...args)).map(({ kind }) => kind)
const four = (kind: string) => routes.map(() => kind)

test('without an instancer the routes do not exist, and the client configuration says so', async () => {
  await using contest = await startContest()
  await addChallenge(contest, 'web')
  const team = await contest.team()
  const admin = await contest.admin()
  expect(await kinds(contest, team, 'web')).toEqual(four('badEndpoint'))
  expect(await kinds(contest, team, 'nothing')).toEqual(four('badEndpoint'))
  expect(await contest.call(readInstancerSchema, { token: admin.token })).toMatchObject({
    kind: 'badEndpoint',
  })
  expect(await contest.call(getClientConfigV2, {})).toMatchObject({ data: { instancerEnabled: false } })
  expect(await contest.call(listChallengesV2, {})).toMatchObject({ data: [{ instancerLifetime: null }] })
})

test('only public challenges with instances have the routes', async () => {
  await using contest = await startContest({ config: memory })
  await addChallenge(contest, 'secret', { hidden: true })
  await putChallenge(contest.db, challengeRow('plain'))
  const team = await contest.team()
  expect(await kinds(contest, team, 'nothing')).toEqual(four('badChallenge'))
  expect(await kinds(contest, team, 'secret')).toEqual(four('badChallenge'))
  expect(await kinds(contest, team, 'plain')).toEqual(four('badEndpoint'))
})

test('a team starts, extends and stops its instance, and sees only what it should', async () => {
  await using contest = await startContest({ config: memory })
  const { call, clock } = contest
  await addChallenge(contest, 'web')
  const { token } = await contest.team()
  const other = await contest.team()
  const params = { id: 'web' }
  const stopped = { status: 'stopped', timeLeftMilliseconds: null, endpoints: [] }
  expect(await call(readInstance, { token, params })).toMatchObject({
    kind: 'goodInstanceStatus',
    data: stopped,
  })

  const started = await call(startInstance, { token, params, body: {} })
  expect(started).toMatchObject({
    kind: 'goodInstanceStatus',
    data: {
      status: 'starting',
      timeLeftMilliseconds: 60_000,
      endpoints: [
        { kind: 'https', title: 'Site', host: expect.stringMatching(/^front-/), port: 443 },
        { kind: 'tcp', host: expect.stringMatching(/^back-/), port: 1337 },
      ],
    },
  })
  clock.advance(20_000)
  expect(await call(readInstance, { token, params })).toMatchObject({
    data: { status: 'running', timeLeftMilliseconds: 40_000 },
  })
  expect(await call(extendInstance, { token, params, body: {} })).toMatchObject({
    kind: 'goodInstanceStatus',
    data: { status: 'running', timeLeftMilliseconds: 60_000 },
  })
  expect(await call(readInstance, { token: other.token, params })).toMatchObject({ data: stopped })
  expect(await call(stopInstance, { token, params })).toMatchObject({
    kind: 'goodInstanceStatus',
    data: { ...stopped, status: 'stopping' },
  })
  clock.advance(1_000)
  expect(await call(readInstance, { token, params })).toMatchObject({ data: stopped })
  expect(await call(getClientConfigV2, {})).toMatchObject({ data: { instancerEnabled: true } })
  expect(await call(listChallengesV2, {})).toMatchObject({
    data: [{ instancerLifetime: 60_000, instancerExtendable: true }],
  })
})

test('challenges that share an integration id share the instance', async () => {
  await using contest = await startContest({ config: memory })
  await addChallenge(contest, 'first')
  await addChallenge(contest, 'second')
  await addChallenge(contest, 'alone', { challengeIntegrationId: '' })
  const { token } = await contest.team()
  await contest.call(startInstance, { token, params: { id: 'first' }, body: {} })
  const status = async (id: string) => (await contest.call(readInstance, { token, params: { id } })).data
  expect(await status('second')).toMatchObject({ status: 'starting' })
  expect(await status('alone')).toMatchObject({ status: 'stopped' })
})

test('two concurrent starts create one instance', async () => {
  await using contest = await startContest({ config: memory })
  await addChallenge(contest, 'web')
  const { token } = await contest.team()
  const start = () => contest.call(startInstance, { token, params: { id: 'web' }, body: {} })
  const responses = await Promise.all([start(), start(), start(), start()])
  expect(responses.map(({ kind }) => kind)).toEqual(four('goodInstanceStatus'))
  expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1)
})

test('reports an instance that cannot be extended, a missing engine and a refusal of the engine', async () => {
  await using contest = await startContest({ config: memory })
  const { call } = contest
  await addChallenge(contest, 'short', { extendable: false })
  await addChallenge(contest, 'far', { instancer: 'cluster' })
  await addChallenge(contest, 'broken', { expose: 'all' })
  await addChallenge(contest, 'refused', { challengeIntegrationId: '', config: { outcome: 'refused' } })
  const team = await contest.team()
  const { token } = team
  await call(startInstance, { token, params: { id: 'short' }, body: {} })
  expect(await call(extendInstance, { token, params: { id: 'short' }, body: {} })).toMatchObject({
    kind: 'badInstancerError',
    data: { message: 'This instance cannot be extended.' },
  })
  expect(await kinds(contest, team, 'far')).toEqual(four('badInstancerError'))
  expect(await kinds(contest, team, 'broken')).toEqual(four('badInstancerError'))
  expect(await call(startInstance, { token, params: { id: 'refused' }, body: {} })).toMatchObject({
    kind: 'badInstancerError',
    data: { message: 'The instance cannot be started.' },
  })
})

test('instances stay available after the end', async () => {
  await using contest = await startContest({ config: memory })
  await addChallenge(contest, 'web')
  const { token } = await contest.team()
  contest.clock.advance(60 * 3_600_000)
  expect(await contest.call(startInstance, { token, params: { id: 'web' }, body: {} })).toMatchObject({
    kind: 'goodInstanceStatus',
  })
})

test('a protected start and extension require a captcha', async () => {
  const captcha = {
    provider: { name: 'captcha/static', options: { code: 'human' } },
    protectedEndpoints: ['instancerStart', 'instancerExtend'],
  }
  await using contest = await startContest({ config: { ...memory, captcha } })
  await addChallenge(contest, 'web')
  const { token } = await contest.team()
  const params = { id: 'web' }
  for (const route of [startInstance, extendInstance]) {
    for (const body of [{}, { captchaCode: 'robot' }])
      expect(await contest.call(route, { token, params, body })).toMatchObject({ kind: 'badCaptcha' })
    expect(await contest.call(route, { token, params, body: { captchaCode: 'human' } })).toMatchObject({
      kind: 'goodInstanceStatus',
    })
  }
})

test("an engine over HTTP gets the team's flags at the start, and its titles are ignored", async () => {
  await using engine = await startFakeInstancer()
  const options = { apiUrl: engine.url, authToken: instancerToken }
  await using contest = await startContest({ config: { instancer: { name: 'instancers/http', options } } })
  const flags = [
    { provider: 'flags/regex', config: { pattern: '^x$' } },
    { provider: 'flags/dynamic', config: { base: 'flag{it_is_a_secret}', mode: 'tail' } },
  ]
  await addChallenge(contest, 'web', { flags })
  const team = await contest.team()
  const started = await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  expect(started).toMatchObject({
    data: {
      status: 'starting',
      endpoints: [{ title: 'Site', port: 40_000 }, { port: 40_002 }],
    },
  })
  const sent = JSON.parse(engine.asked[0]?.body.toString() ?? '') as Record<string, unknown>
  expect(sent).toMatchObject({
    teamId: team.id,
    challengeIntegrationId: 'web-1',
    timeoutMilliseconds: 60_000,
    flags: [
      { provider: 'flags/dynamic', flag: expect.stringMatching(/^flag\{it_is_a_secret_[0-9a-f]{10}\}$/) },
    ],
  })
  const again = await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  expect(again).toMatchObject({
    kind: 'goodInstanceStatus',
    data: { status: 'running', timeLeftMilliseconds: 60_000 },
  })
})

test('reports a failing, slow or misbehaving engine without leaking secrets', async () => {
  await using engine = await startFakeInstancer()
  const options = { apiUrl: engine.url, authToken: instancerToken, callTimeout: 200 }
  await using contest = await startContest({ config: { instancer: { name: 'instancers/http', options } } })
  await addChallenge(contest, 'web')
  const team = await contest.team()
  for (const mood of ['failing', 'hanging up', 'nonsense', 'silent', 'talkative'] as const) {
    engine.mood = mood
    const responses = await requestAll(contest, team, 'web')
    expect(responses.map(({ kind }) => kind)).toEqual(four('badInstancerError'))
    const text = JSON.stringify(responses)
    expect(text).not.toContain(instancerToken)
    expect(text).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3|docker-1/)
  }
  engine.mood = 'well'
  // After so many failures in a row, calls are refused for a while.
  expect((await kinds(contest, team, 'web'))[0]).toBe('badInstancerError')
  contest.clock.advance(10_000)
  expect((await kinds(contest, team, 'web'))[0]).toBe('goodInstanceStatus')
  expect(JSON.stringify(contest.logLines)).not.toContain(instancerToken)
})

test('organisers read the configuration schema of each instancer, the default one first', async () => {
  const http = {
    name: 'instancers/http',
    options: { apiUrl: 'http://engine.test', authToken: instancerToken },
  }
  const config = { instancers: { far: http, near: { name: 'instancers/memory' } }, defaultInstancer: 'near' }
  await using contest = await startContest({ config })
  const { token } = await contest.admin()
  expect(await contest.call(readInstancerSchema, { token })).toMatchObject({
    kind: 'goodInstancerSchema',
    data: {
      schema: { type: 'object', properties: { outcome: {} } },
      defaults: { outcome: 'runs' },
      defaultInstancer: 'near',
      instancers: [
        { name: 'near', canStop: true, canExtend: true },
        { name: 'far', defaults: {} },
      ],
    },
  })
})

test('the instancer checks what organisers write, and the response has it as written', async () => {
  await using contest = await startContest({ config: memory })
  const { token } = await contest.admin()
  const put = (config: Record<string, unknown>, instancer?: string) =>
    contest.call(putChallengeV2, {
      token,
      params: { id: 'web' },
      body: {
        data: { instancerConfig: { ...settings, expose: [], config, ...(instancer && { instancer }) } },
      },
    })
  const ports = [{ kind: 'http', hostPrefix: 'web', containerName: 'a', containerPort: 80 }]
  const written = { ...settings, expose: ports, config: {} }
  const saved = await contest.call(putChallengeV2, {
    token,
    params: { id: 'web' },
    body: { data: { flag: 'flag{x}', instancerConfig: written as never } },
  })
  // Returned exactly as written, without defaults, so that tools detect no change.
  expect(saved).toMatchObject({ kind: 'goodChallengeUpdateV2' })
  expect((saved.data as { instancerConfig: unknown }).instancerConfig).toStrictEqual(written)
  const team = await contest.team()
  const started = await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  // The defaults of the engine (it runs) and of the endpoint (it is shown) apply.
  expect(started).toMatchObject({ data: { status: 'starting', endpoints: [{ kind: 'http' }] } })
  expect(await put({ outcome: 'dances' })).toMatchObject({
    kind: 'badInstancerConfig',
    data: { error: expect.stringMatching(/^config\.outcome: /) },
  })
  expect(await put({}, 'cluster')).toMatchObject({
    kind: 'badInstancerConfig',
    data: { error: 'No instancer is called cluster; there are local.' },
  })
})

test('limits the concurrent engine calls of a team', async () => {
  await using contest = await startContest({ config: memory })
  const ids = Array.from({ length: 12 }, (_, at) => `web-${at}`)
  for (const id of ids) await addChallenge(contest, id, { challengeIntegrationId: id })
  const { instancers, flags } = contest.app.providers
  const engine = instancers?.find()
  if (!engine) throw new Error('there is one')
  const ends: (() => void)[] = []
  const stopped = { status: 'stopped', timeLeftMs: null, endpoints: [] } as const
  const get = vi.spyOn(engine, 'get')
  get.mockImplementation(() => new Promise((resolve) => ends.push(() => resolve(stopped))))
  const [read] = instanceRoutes({
    db: contest.db,
    now: () => contest.clock.now(),
    world: contest.world,
    instancers,
    flags,
    lifecycle: { get: (named, key) => named.get(key) } satisfies Pick<Lifecycle, 'get'> as Lifecycle,
    onChange: async () => {},
  })
  const ask = async (id: string) => await read?.handle({ params: { id }, team: { id: 'team' } } as never)
  /** Releases the calls at the engine repeatedly until all requests have a response. */
  async function answersOf(asked: readonly string[]) {
    let most = 0
    let open = asked.length
    const responses = Promise.all(asked.map((id) => ask(id).finally(() => open--)))
    while (open > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, ends.length)
      for (const end of ends.splice(0)) end()
    }
    return { most, responses: await responses }
  }

  expect(await answersOf(Array.from({ length: 60 }, () => 'web-0'))).toMatchObject({ most: 1 })
  // The first request has its own call. All others arrived during it and share the next one.
  expect(get).toHaveBeenCalledTimes(2)
  expect(await answersOf(ids)).toMatchObject({ most: 4 })
  expect(get).toHaveBeenCalledTimes(2 + ids.length)
})

test('the flag of a running instance counts for its team after the flags have changed, until the instance ends', async () => {
  await using contest = await startContest({
    config: {
      instancers: { local: { name: 'instancers/memory', options: { startDelay: 0, stopDelay: 0 } } },
    },
  })
  const { call } = contest
  const of = (flag: string) => [{ provider: 'flags/static', config: { flag } }]
  const params = { id: 'web' }
  await addChallenge(contest, 'web', { flags: of('flag{old}') })
  const [early, late, stopped] = [await contest.team(), await contest.team(), await contest.team()]
  for (const { token } of [early, stopped]) await call(startInstance, { token, params, body: {} })
  const admin = await contest.admin()
  await call(putChallengeV2, { token: admin.token, params, body: { data: { flags: of('flag{new}') } } })
  const submit = async ({ token }: Member, flag: string) =>
    (await call(submitFlag, { token, params, body: { flag } })).kind
  expect(await submit(late, 'flag{old}')).toBe('badFlag')
  expect(await submit(late, 'flag{new}')).toBe('goodFlag')
  expect(await submit(early, 'flag{none}')).toBe('badFlag')
  // Another start of a running instance changes nothing.
  await call(startInstance, { token: early.token, params, body: {} })
  expect(await submit(early, 'flag{old}')).toBe('goodFlag')
  await call(stopInstance, { token: stopped.token, params })
  await call(startInstance, { token: stopped.token, params, body: {} })
  expect(await submit(stopped, 'flag{old}')).toBe('badFlag')
  expect(await submit(stopped, 'flag{new}')).toBe('goodFlag')
})
