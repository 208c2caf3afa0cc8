import { expect, test, describe } from 'vitest'
import { createClock } from '../../../test/clock.ts'
import { keepLog } from '../../../test/log.ts'
import { instancerToken, startStandInInstancer } from '../../../test/stand-in-instancer.ts'
import { ProviderError } from '../provider.ts'
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

async function start(name: string, clock = createClock(0)) {
  const service = await startStandInInstancer()
  const found = instancerProviders.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no provider ${name}`)
  const options = name === 'instancers/http' ? { apiUrl: `${service.url}/`, authToken: instancerToken } : {}
  const { log, lines } = keepLog()
  const world = { fetch, log, now: () => clock.now(), dataDir: '.' }
  const engine = await found.start(found.options.parse(options), world)
  return { engine, service, lines, clock, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

/** They need an engine, and have tests of their own beside them. */
const WITH_ENGINES = ['instancers/docker', 'instancers/kubernetes']
const names = instancerProviders.map(({ name }) => name).filter((name) => !WITH_ENGINES.includes(name))

describe.each(names)('%s', (name) => {
  test('an instance that was never started is stopped', async () => {
    await using opened = await start(name)
    expect(await opened.engine.get(order, signal)).toEqual({
      status: 'stopped',
      timeLeftMs: null,
      endpoints: [],
    })
  })

  test('a start gives the endpoints in the order of the exposed ports', async () => {
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

  test('teams and integration ids have instances of their own', async () => {
    await using opened = await start(name)
    await opened.engine.create(order, signal)
    for (const other of [
      { ...order, teamId: 'team-2' },
      { ...order, integrationId: 'pwn' },
    ])
      expect(await opened.engine.get(other, signal)).toMatchObject({ status: 'stopped' })
  })

  test('an extension counts from now, and what is not there cannot be extended', async () => {
    await using opened = await start(name)
    await expect(opened.engine.extend(order, signal)).rejects.toThrow(ProviderError)
    await opened.engine.create(order, signal)
    opened.clock.advance(5_000)
    expect(await opened.engine.extend({ ...order, timeoutMs: 9_000 }, signal)).toMatchObject({
      status: 'running',
      timeLeftMs: 9_000,
    })
  })

  test('a stopped instance is gone and can be started again', async () => {
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

test('in memory an instance goes through every state by the clock alone', async () => {
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

test('over HTTP the token goes in the header and in the body, and the order is written as agreed', async () => {
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

test('over HTTP a second start is what the service makes of it', async () => {
  await using opened = await start('instancers/http')
  await opened.engine.create(order, signal)
  await expect(opened.engine.create(order, signal)).rejects.toThrow('The instance exists already.')
})

test.each([
  ['nonsense', 'The instancer gave no usable answer.'],
  ['failing', 'The instancer gave no usable answer.'],
  ['hanging up', 'The instancer cannot be reached.'],
  ['silent', 'The instancer did not answer in time.'],
] as const)('a service that is %s fails with a plain sentence', async (mood, message) => {
  await using opened = await start('instancers/http')
  opened.service.mood = mood
  await expect(opened.engine.get(order, AbortSignal.timeout(100))).rejects.toThrow(message)
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
])('over HTTP a state that is not as agreed is no state: %j', async (answer) => {
  const answering: typeof fetch = async () => new Response(JSON.stringify(answer))
  const engine = await startHttp(answering)
  await expect(engine.get(order, signal)).rejects.toThrow('no usable answer')
})

test('over HTTP an answer without end is not read to its end', async () => {
  const flood = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(0x20)),
  })
  const engine = await startHttp(async () => new Response(flood))
  await expect(engine.get(order, signal)).rejects.toThrow(ProviderError)
})

async function startHttp(answering: typeof fetch): Promise<Instancer> {
  const options = httpInstancer.options.parse({ apiUrl: 'http://engine.test', authToken: 'x' })
  const world = { fetch: answering, log: keepLog().log, now: () => 0, dataDir: '.' }
  return await httpInstancer.start(options, world)
}

test('an address with a login is refused, since it would end up in messages', () => {
  const options = { apiUrl: 'http://me:pass@engine.test', authToken: 'x' }
  expect(httpInstancer.options.safeParse(options).success).toBe(false)
})

test('the registry knows the default, names what there is, and checks configurations', async () => {
  const world = { fetch, log: keepLog().log, now: () => 0, dataDir: '.' }
  const engines = new Map<string, Instancer>([
    ['near', await memoryInstancer.start(memoryInstancer.options.parse({}), world)],
    ['far', await startHttp(fetch)],
  ])
  const instancers = createInstancers({ engines, defaultName: 'far', log: world.log })
  expect(instancers.find()?.name).toBe('far')
  expect(instancers.find('near')?.name).toBe('near')
  expect(instancers.find('nowhere')).toBeNull()
  expect(instancers.describe().map(({ name }) => name)).toEqual(['far', 'near'])
  expect(instancers.validate({}, 'near')).toEqual({ value: { outcome: 'runs' } })
  expect(instancers.validate({ any: [1] })).toEqual({ value: { any: [1] } })
  expect(instancers.validate({ outcome: 'x' }, 'near')).toEqual({
    error: expect.stringMatching(/^config.outcome: /),
  })
  expect(instancers.validate({}, 'nowhere')).toEqual({
    error: 'No instancer is called nowhere; there are far, near.',
  })
})
