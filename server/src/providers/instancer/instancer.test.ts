import { expect, test, describe } from 'vitest'
import { createClock } from '../../../test/clock.ts'
import { recordLog } from '../../../test/log.ts'
import { instancerToken, startFakeInstancer } from '../../../test/fake-instancer.ts'
import { CircuitOpenError } from '../../lib/circuits.ts'
import { ProviderError, UncertainError } from '../provider.ts'
import { instancerProviders } from './all.ts'
import { httpInstancer } from './http.ts'
import type { InstanceOrder, Instancer } from './instancer.ts'
import { memoryInstancer } from './memory.ts'
import { createInstancers } from './registry.ts'

const order: InstanceOrder = {
  teamId: 'team-1',
  integrationId: 'web',
  config: {},
  timeoutMs: 60_000,
  extendable: true,
  flags: [{ provider: 'flags/static', flag: 'flag{x}' }],
  expose: [
    { kind: 'https', hostPrefix: 'front', containerName: 'a', containerPort: 80 },
    { kind: 'tcp', hostPrefix: 'back', containerName: 'b', containerPort: 9000 },
  ],
}
const { signal } = new AbortController()
const hostNameKey = Buffer.alloc(32, 'test')

async function start(name: string, clock = createClock(0)) {
  const service = await startFakeInstancer()
  const found = instancerProviders.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no provider ${name}`)
  const options = name === 'instancers/http' ? { apiUrl: `${service.url}/`, authToken: instancerToken } : {}
  const { log, lines } = recordLog()
  const world = { fetch, log, now: () => clock.now(), dataDir: '.', hostNameKey }
  const engine = await found.start(found.options.parse(options), world)
  return { engine, service, lines, clock, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

/** These need an engine, and have their own tests. */
const WITH_ENGINES = ['instancers/docker', 'instancers/kubernetes']
const names = instancerProviders.map(({ name }) => name).filter((name) => !WITH_ENGINES.includes(name))

describe.each(names)('%s', (name) => {
  test('an instance that was never started has the status stopped', async () => {
    await using opened = await start(name)
    expect(await opened.engine.get(order, signal)).toEqual({
      status: 'stopped',
      timeLeftMs: null,
      endpoints: [],
    })
  })

  test('a start returns the endpoints in the order of the exposed ports', async () => {
    await using opened = await start(name)
    const started = await opened.engine.create(order, signal)
    expect(started).toMatchObject({ status: 'starting', timeLeftMs: 60_000 })
    expect(started.endpoints.map(({ kind }) => kind)).toEqual(['https', 'tcp'])
    opened.clock.advance(5_000)
    expect(await opened.engine.get(order, signal)).toMatchObject({
      status: 'running',
      endpoints: started.endpoints,
    })
  })

  test('each team and integration id has a separate instance', async () => {
    await using opened = await start(name)
    await opened.engine.create(order, signal)
    for (const other of [
      { ...order, teamId: 'team-2' },
      { ...order, integrationId: 'pwn' },
    ])
      expect(await opened.engine.get(other, signal)).toMatchObject({ status: 'stopped' })
  })

  test('an extension counts from now, and a missing instance cannot be extended', async () => {
    await using opened = await start(name)
    await expect(opened.engine.extend(order, signal)).rejects.toThrow(ProviderError)
    await opened.engine.create(order, signal)
    opened.clock.advance(5_000)
    expect(await opened.engine.extend({ ...order, timeoutMs: 9_000 }, signal)).toMatchObject({
      status: 'running',
      timeLeftMs: 9_000,
    })
  })

  test('a stopped instance is removed and can be started again', async () => {
    await using opened = await start(name)
    await opened.engine.create(order, signal)
    expect(['stopping', 'stopped']).toContain((await opened.engine.delete(order, signal)).status)
    opened.clock.advance(5_000)
    expect(await opened.engine.get(order, signal)).toMatchObject({ status: 'stopped' })
    expect(await opened.engine.create(order, signal)).toMatchObject({ status: 'starting' })
  })

  test('its form can be filled in from the example', async () => {
    await using opened = await start(name)
    const { config, example } = opened.engine
    expect(config.parse(example)).toEqual(example)
  })
})

test('in memory, an instance passes through every state as time passes', async () => {
  await using opened = await start('instancers/memory')
  const { engine, clock } = opened
  const status = async () => (await engine.get(order, signal)).status
  await engine.create(order, signal)
  expect(await engine.create(order, signal)).toMatchObject({ status: 'starting', timeLeftMs: 60_000 })
  clock.advance(1_999)
  expect(await status()).toBe('starting')
  clock.advance(1)
  expect(await status()).toBe('running')
  clock.advance(57_999)
  expect(await engine.get(order, signal)).toMatchObject({ status: 'running', timeLeftMs: 1 })
  clock.advance(1)
  expect(await engine.get(order, signal)).toEqual({ status: 'stopping', timeLeftMs: null, endpoints: [] })
  await expect(engine.create(order, signal)).rejects.toThrow('still stopping')
  await expect(engine.extend(order, signal)).rejects.toThrow('no instance')
  clock.advance(1_000)
  expect(await status()).toBe('stopped')
})

test("in memory each start has its own host names, which depend on the deployment's key", async () => {
  const hostsWith = async (key: Buffer) => {
    const options = memoryInstancer.options.parse({})
    const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey: key }
    const engine = await memoryInstancer.start(options, world)
    const { endpoints } = await engine.create({ ...order, config: {} }, signal)
    expect((await engine.get(order, signal)).endpoints).toEqual(endpoints)
    return endpoints.map(({ host }) => host)
  }
  const starts = [
    await hostsWith(hostNameKey),
    await hostsWith(hostNameKey),
    await hostsWith(Buffer.alloc(32)),
  ]
  for (const hosts of starts)
    expect(hosts).toEqual([
      expect.stringMatching(/^front-[a-z2-7]{20}\.instances\.localhost$/),
      expect.stringMatching(/^back-[a-z2-7]{20}\.instances\.localhost$/),
    ])
  expect(new Set(starts.flat()).size).toBe(6)
})

test('in memory an instance can fail, be refused, and be started again after a failure', async () => {
  await using opened = await start('instancers/memory')
  const { engine, clock } = opened
  const failing = { ...order, config: { outcome: 'fails' } }
  await engine.create(failing, signal)
  clock.advance(2_000)
  expect(await engine.get(failing, signal)).toMatchObject({ status: 'errored' })
  expect(await engine.create(order, signal)).toMatchObject({ status: 'starting' })
  const refused = { ...order, teamId: 'team-2', config: { outcome: 'refused' } }
  await expect(engine.create(refused, signal)).rejects.toThrow('cannot be started')
})

test('over HTTP the token is in the header and the body, and the request follows the protocol', async () => {
  await using opened = await start('instancers/http')
  await opened.engine.create(order, signal)
  const [asked] = opened.service.asked
  expect(asked).toMatchObject({ method: 'PUT', url: '/v1/instances/' })
  expect(asked?.headers.authorization).toBe(`Bearer ${instancerToken}`)
  expect(JSON.parse(asked?.body.toString() ?? '')).toEqual({
    kind: 'instancerCreateInstanceForm',
    serviceAuthToken: instancerToken,
    teamId: 'team-1',
    challengeIntegrationId: 'web',
    config: {},
    expose: order.expose,
    flags: order.flags,
    timeoutMilliseconds: 60_000,
    extendable: true,
  })
})

test('over HTTP the service decides about a second start', async () => {
  await using opened = await start('instancers/http')
  await opened.engine.create(order, signal)
  await expect(opened.engine.create(order, signal)).rejects.toThrow('The instance exists already.')
})

test.each([
  ['nonsense', 'The instancer returned an unusable response.'],
  ['failing', 'The instancer returned an unusable response.'],
  ['hanging up', 'The instancer cannot be reached.'],
  ['silent', 'The instancer did not respond in time.'],
] as const)('a service that is %s fails with a plain message', async (mood, message) => {
  await using opened = await start('instancers/http')
  opened.service.mood = mood
  const limit = AbortSignal.timeout(mood === 'silent' ? 100 : 60_000)
  await expect(opened.engine.get(order, limit)).rejects.toThrow(message)
  await expect(opened.engine.get(order, limit)).rejects.toBeInstanceOf(UncertainError)
})

test('a start that never left this process has had no effect, and says so', async () => {
  const opened = await start('instancers/http')
  await opened[Symbol.asyncDispose]()
  const refusing: typeof fetch = async () => {
    throw new CircuitOpenError('engine', 1_000)
  }
  for (const engine of [opened.engine, await startHttp(refusing)]) {
    const failure = await engine.create(order, signal).catch((error: unknown) => error)
    expect(failure).toEqual(new ProviderError('The instancer cannot be reached.'))
    expect(failure).not.toBeInstanceOf(UncertainError)
  }
})

test.each([
  { kind: 'instancerInstanceDetails', status: 'sleeping', timeLeftMilliseconds: 1, endpoints: [] },
  { kind: 'instancerInstanceDetails', status: 'running', timeLeftMilliseconds: 'soon', endpoints: [] },
  { kind: 'instancerInstanceDetails', status: 'running', endpoints: [] },
  {
    kind: 'instancerInstanceDetails',
    status: 'running',
    timeLeftMilliseconds: 1,
    endpoints: [{ kind: 'raw', host: 'a', port: 1 }],
  },
  { status: 'running', timeLeftMilliseconds: 1, endpoints: [] },
  [],
  null,
])('over HTTP a state that violates the protocol is unusable: %j', async (response) => {
  const answering: typeof fetch = async () => new Response(JSON.stringify(response))
  const engine = await startHttp(answering)
  await expect(engine.get(order, signal)).rejects.toThrow('an unusable response')
})

test('over HTTP an endless response is not read to its end', async () => {
  const flood = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(0x20)),
  })
  const engine = await startHttp(async () => new Response(flood))
  await expect(engine.get(order, signal)).rejects.toThrow(ProviderError)
})

test('over HTTP the secret is in the field that the service expects', async () => {
  const bodies: unknown[] = []
  const answering: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(Buffer.from(init?.body as Uint8Array).toString()))
    return Response.json({
      kind: 'instancerInstanceDetails',
      status: 'stopped',
      timeLeftMilliseconds: null,
      endpoints: null,
    })
  }
  const engine = await startHttp(answering, { authField: 'rctfAuthToken' })
  await engine.get(order, signal)
  expect(bodies).toEqual([
    { kind: 'instancerGetInstanceForm', rctfAuthToken: 'x', teamId: 'team-1', challengeIntegrationId: 'web' },
  ])
  const wrong = { apiUrl: 'http://engine.test', authToken: 'x', authField: 'a b' }
  expect(httpInstancer.options.safeParse(wrong).success).toBe(false)
})

async function startHttp(
  answering: typeof fetch,
  more: { readonly authField?: string } = {},
): Promise<Instancer> {
  const options = httpInstancer.options.parse({ apiUrl: 'http://engine.test', authToken: 'x', ...more })
  const world = { fetch: answering, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey }
  return await httpInstancer.start(options, world)
}

test('refuses a URL with credentials, which would appear in messages', () => {
  const options = { apiUrl: 'http://me:pass@engine.test', authToken: 'x' }
  expect(httpInstancer.options.safeParse(options).success).toBe(false)
})

test("an engine gets a challenge's settings with defaults, and never settings that became invalid", async () => {
  const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey }
  const memory = await memoryInstancer.start(memoryInstancer.options.parse({}), world)
  const seen: unknown[] = []
  const engine: Instancer = {
    ...memory,
    create(given, until) {
      seen.push(given.config)
      return memory.create(given, until)
    },
    async prepare(configs) {
      seen.push(...configs)
    },
  }
  const instancers = createInstancers({
    engines: new Map([['near', engine]]),
    defaultName: 'near',
    log: world.log,
  })
  await instancers.find()?.create({ ...order, config: {} })
  const [found] = instancers.engines()
  await expect(found?.maintenance.prepare?.([{ outcome: 'gone' }, {}], signal)).rejects.toThrow(
    'config.outcome',
  )
  expect(seen).toEqual([{ outcome: 'runs' }, { outcome: 'runs' }])
  await expect(instancers.find()?.create({ ...order, config: { outcome: 'gone' } })).rejects.toThrow(
    /settings of this challenge are invalid: config\.outcome/,
  )
  expect(seen).toHaveLength(2)
})

test('the registry has a default, lists the instancers and checks configurations', async () => {
  const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey }
  const engines = new Map<string, Instancer>([
    ['near', await memoryInstancer.start(memoryInstancer.options.parse({}), world)],
    ['far', await startHttp(fetch)],
  ])
  const instancers = createInstancers({ engines, defaultName: 'far', log: world.log })
  expect(instancers.find()?.name).toBe('far')
  expect(instancers.find('near')?.name).toBe('near')
  expect(instancers.find('nowhere')).toBeNull()
  expect(instancers.describe().map(({ name }) => name)).toEqual(['far', 'near'])
  expect(instancers.problemOf({ config: {}, instancer: 'near' })).toBeNull()
  expect(instancers.problemOf({ config: { any: [1] } })).toBeNull()
  expect(instancers.problemOf({ config: { outcome: 'x' }, instancer: 'near' })).toMatch(/^config.outcome: /)
  expect(instancers.problemOf({ config: {}, instancer: 'nowhere' })).toBe(
    'No instancer is called nowhere; there are far, near.',
  )
})

test('the registry reports every call to an engine with its result', async () => {
  const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey }
  const memory = await memoryInstancer.start(memoryInstancer.options.parse({}), world)
  const engine: Instancer = {
    ...memory,
    list: async () => ({ instances: [], unreachable: [] }),
    delete: async () => {
      throw new ProviderError('The machine is gone.')
    },
  }
  const engines = new Map([['near', engine]])
  const instancers = createInstancers({ engines, defaultName: 'near', log: world.log })
  const calls: unknown[] = []
  instancers.onCall(({ ms, ...call }) => calls.push({ ...call, isTimed: ms >= 0 }))
  await instancers.find()?.create({ ...order, config: {} })
  await expect(instancers.find()?.delete(order)).rejects.toThrow('The machine is gone.')
  await instancers.engines()[0]?.maintenance.list?.(signal)
  const near = { instancer: 'near', isTimed: true }
  expect(calls).toEqual([
    { ...near, operation: 'create', result: 'ok' },
    { ...near, operation: 'delete', result: 'failed' },
    { ...near, operation: 'list', result: 'ok' },
  ])
})
