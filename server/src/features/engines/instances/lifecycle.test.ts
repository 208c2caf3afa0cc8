import { beforeEach, afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { recordLog } from '../../../../test/log.ts'
import type { InstanceDetails, Instancer } from '../../../providers/instancer/instancer.ts'
import { memoryInstancer } from '../../../providers/instancer/memory.ts'
import { createInstancers, type NamedInstancer } from '../../../providers/instancer/registry.ts'
import { ProviderError, UncertainError } from '../../../providers/provider.ts'
import { createLifecycle } from './lifecycle.ts'
import type { LifecycleLimits } from './start-instance.ts'
import { listSlots } from './slots.ts'

const limits: LifecycleLimits = {
  maxRunning: 10,
  maxPerTeam: 2,
  maxStarting: 10,
  maxWaiting: 1000,
  maxWaitMs: 60_000,
}

let database: Awaited<ReturnType<typeof openTestDatabase>>
let instancer: NamedInstancer
let at: number

beforeEach(async () => {
  database = await openTestDatabase()
  at = Date.parse('2026-05-01T12:00:00Z')
  instancer = (await memory({ startDelay: 0, stopDelay: 0 })).instancer
})
afterEach(() => database[Symbol.asyncDispose]())

const never = new AbortController().signal

function latch(): [wait: Promise<void>, open: () => void] {
  let open = () => {}
  const wait = new Promise<void>((resolve) => (open = resolve))
  return [wait, open]
}

async function memory(options: object): Promise<{ engine: Instancer; instancer: NamedInstancer }> {
  const { log } = recordLog()
  const world = { fetch, log, now: () => at, dataDir: '/nonexistent', hostNameKey: Buffer.alloc(32) }
  const engine = await memoryInstancer.start(memoryInstancer.options.parse(options) as never, world)
  const instancers = createInstancers({ engines: new Map([['local', engine]]), defaultName: 'local', log })
  return { engine, instancer: instancers.find()! }
}

/** Simulates one process: memory is separate, the database is shared. */
const process = (more: Partial<LifecycleLimits> = {}) =>
  createLifecycle({
    db: database.db,
    now: () => at,
    limits: { ...limits, ...more },
    challengeName: (id) => (id.startsWith('hidden') ? null : id.toUpperCase()),
  })

const startOf = (teamId: string, challengeId = 'chall', config: object = { outcome: 'runs' }) => ({
  instancer,
  challengeId,
  order: {
    teamId,
    integrationId: challengeId,
    config: { ...config },
    timeoutMs: 600_000,
    extendable: true,
    expose: [],
    flags: [],
  },
})

const keyOf = (teamId: string, integrationId = 'chall') => ({ teamId, integrationId, config: {} })
const places = async () => (await listSlots(database.db)).map(({ teamId }) => teamId).sort()

test('fifty starts for ten slots from two processes: ten run, forty are refused with a reason, later ones succeed', async () => {
  const processes = [process(), process()]
  const teams = Array.from({ length: 50 }, (_, n) => `team-${String(n).padStart(2, '0')}`)
  const results = await Promise.allSettled(
    teams.map(async (team, n) => (processes[n % 2] ?? process()).start(startOf(team))),
  )
  const running = teams.filter((_, n) => results[n]?.status === 'fulfilled')
  expect(running).toHaveLength(10)
  expect(await places()).toEqual(running)
  for (const result of results)
    if (result.status === 'rejected')
      expect(String(result.reason)).toBe(
        'ProviderError: All 10 instance slots are in use. The next one becomes free in at most 11 minutes.',
      )
  const states = await Promise.all(teams.map((team) => instancer.get(keyOf(team))))
  expect(teams.filter((_, n) => states[n]?.status === 'running')).toEqual(running)
  await processes[0]!.stop(instancer, keyOf(running[0]!))
  const waiting = teams.find((team) => !running.includes(team))!
  expect((await processes[1]!.start(startOf(waiting))).status).toBe('running')
})

test('with enough capacity, fifty concurrent starts all get an instance, ten at a time', async () => {
  let most = 0
  let under = 0
  let open = () => {}
  const tenAreThere = new Promise<void>((resolve) => (open = resolve))
  const slow: NamedInstancer = {
    ...instancer,
    async create(order) {
      most = Math.max(most, ++under)
      if (under === 10) open()
      await tenAreThere
      under--
      return instancer.create(order)
    },
  }
  const lifecycle = process({ maxRunning: 50 })
  const started = await Promise.all(
    Array.from({ length: 50 }, (_, n) => lifecycle.start({ ...startOf(`team-${n}`), instancer: slow })),
  )
  expect(started.every(({ status }) => status === 'running')).toBe(true)
  expect(most).toBe(10)
  expect(await places()).toHaveLength(50)
})

test('twenty concurrent starts of one team create one instance, in any process', async () => {
  let creates = 0
  const single: NamedInstancer = {
    ...instancer,
    async create(order) {
      if (++creates > 1) throw new ProviderError('The instance is already starting.')
      await new Promise((resolve) => setImmediate(resolve))
      return instancer.create(order)
    },
    get: async (key) =>
      creates > 0 ? { ...(await instancer.get(key)), status: 'starting' } : instancer.get(key),
  }
  const processes = [process(), process()]
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      (processes[n % 2] ?? process()).start({ ...startOf('team'), instancer: single }),
    ),
  )
  expect(responses.every(({ status }) => ['starting', 'running'].includes(status))).toBe(true)
  // The other process joins the first start, or queries the engine after it.
  expect(creates).toBeLessThanOrEqual(2)
  expect(await places()).toEqual(['team'])
})

test('a team cannot exceed its limit, and the refusal names what to stop', async () => {
  const lifecycle = process()
  await lifecycle.start(startOf('team', 'one'))
  await lifecycle.start(startOf('team', 'two'))
  await expect(lifecycle.start(startOf('team', 'three'))).rejects.toThrow(
    /^Your team has 2 instances, as many as it may have at once\. Stop one first: (ONE, TWO|TWO, ONE)\.$/,
  )
  await lifecycle.stop(instancer, keyOf('team', 'one'))
  expect((await lifecycle.start(startOf('team', 'three'))).status).toBe('running')
})

test('releases the slot of a start that the engine refused, and keeps it while the outcome is unknown', async () => {
  const lifecycle = process()
  await expect(lifecycle.start(startOf('team', 'chall', { outcome: 'refused' }))).rejects.toThrow(
    'The instance cannot be started.',
  )
  expect(await places()).toEqual([])
  const away = () => Promise.reject(new UncertainError('The engine is away.'))
  const gone: NamedInstancer = { ...instancer, create: away, get: away }
  await expect(lifecycle.start({ ...startOf('team'), instancer: gone })).rejects.toThrow(
    'The engine is away.',
  )
  expect(await places()).toEqual(['team'])
})

test('an instance counts until the engine confirms its removal, even long after its end', async () => {
  const lifecycle = process({ maxRunning: 1 })
  await lifecycle.start(startOf('team'))
  at += 599_000
  await lifecycle.extend(instancer, keyOf('team'), 600_000)
  at += 3_600_000
  await expect(lifecycle.start(startOf('other'))).rejects.toThrow(
    /All 1 instance slots .* in at most 1 minute\./,
  )
  await lifecycle.stop(instancer, keyOf('team'))
  expect((await lifecycle.start(startOf('other'))).status).toBe('running')
})

test('a team that starts and stops in quick succession never has more instances than its limit', async () => {
  const slow = await memory({ startDelay: 2_000, stopDelay: 1_000 })
  const lifecycle = process({ maxPerTeam: 3 })
  const results = []
  for (let n = 0; n < 8; n++) {
    const start = { ...startOf('team', `chall-${n}`), instancer: slow.instancer }
    const started = await lifecycle.start(start).catch((error: Error) => error.message)
    if (typeof started !== 'string') await lifecycle.stop(slow.instancer, start.order)
    results.push(typeof started === 'string' ? started : started.status)
  }
  expect((await slow.engine.list?.(never))?.instances).toHaveLength(3)
  const refusal =
    'Your team has 3 instances, as many as it may have at once. ' +
    'Still stopping: CHALL-0, CHALL-1, CHALL-2. Try again in a moment.'
  expect(results).toEqual(['starting', 'starting', 'starting', ...Array(5).fill(refusal)])
})

test('a stop while the start is in flight wins: the start removes what it created and is rejected', async () => {
  const [gate, open] = latch()
  const [asked, ask] = latch()
  const slow: NamedInstancer = {
    ...instancer,
    async create(order) {
      ask()
      await gate
      return await instancer.create(order)
    },
  }
  const [one, two] = [process(), process()]
  const start = one.start({ ...startOf('team'), instancer: slow })
  await asked
  expect(await two.start({ ...startOf('team'), instancer: slow })).toMatchObject({ status: 'starting' })
  expect(await two.stop(slow, keyOf('team'))).toMatchObject({ status: 'stopping' })
  expect(await places()).toEqual(['team'])
  await expect(two.start({ ...startOf('team'), instancer: slow })).rejects.toThrow('still stopping')
  await expect(two.extend(slow, keyOf('team'), 600_000)).rejects.toThrow('still stopping')
  open()
  await expect(start).rejects.toThrow('The instance was stopped while it was starting.')
  expect(await instancer.get(keyOf('team'))).toMatchObject({ status: 'stopped' })
  expect(await places()).toEqual([])
})

test('a start that is stopped while it waits for its turn never reaches the engine', async () => {
  const [gate, open] = latch()
  const created: string[] = []
  const slow: NamedInstancer = {
    ...instancer,
    async create(order) {
      created.push(order.teamId)
      await gate
      return await instancer.create(order)
    },
  }
  const lifecycle = process({ maxStarting: 1 })
  const first = lifecycle.start({ ...startOf('first'), instancer: slow })
  const second = lifecycle.start({ ...startOf('second'), instancer: slow })
  await expect.poll(() => lifecycle.queue()).toEqual({ running: 1, waiting: 1 })
  await expect.poll(() => created).toHaveLength(1)
  const [waiting] = ['first', 'second'].filter((team) => !created.includes(team))
  expect(await lifecycle.stop(slow, keyOf(waiting ?? ''))).toMatchObject({ status: 'stopping' })
  open()
  await Promise.allSettled([first, second])
  expect(created).toHaveLength(1)
  expect(await places()).toEqual(created)
})

test('a failed stop leaves the instance unchanged, and stopping a missing instance releases its slot', async () => {
  const lifecycle = process()
  await lifecycle.start(startOf('team'))
  const failing = { ...instancer, delete: () => Promise.reject(new ProviderError('Not now.')) }
  await expect(lifecycle.stop(failing, keyOf('team'))).rejects.toThrow('Not now.')
  expect(await places()).toEqual(['team'])
  expect((await lifecycle.start(startOf('team'))).status).toBe('running')
  await instancer.delete(keyOf('team'))
  expect(await lifecycle.stop(failing, keyOf('team'))).toMatchObject({ status: 'stopped' })
  expect(await places()).toEqual([])
})

test('after a timeout the slot is kept even if the engine does not list the instance yet', async () => {
  const lifecycle = process()
  const lost: NamedInstancer = { ...instancer, create: () => Promise.reject(new UncertainError('Too late.')) }
  await expect(lifecycle.start({ ...startOf('team'), instancer: lost })).rejects.toThrow('Too late.')
  expect(await places()).toEqual(['team'])
  // A refused second attempt does not change the unknown outcome of the first.
  await expect(lifecycle.start(startOf('team', 'chall', { outcome: 'refused' }))).rejects.toThrow()
  expect(await places()).toEqual(['team'])
  expect(await lifecycle.stop(instancer, keyOf('team'))).toMatchObject({ status: 'stopped' })
  expect(await places()).toEqual(['team'])
})

test('an instance that is stopped while the outcome of an earlier start is unknown can be started again', async () => {
  const lifecycle = process({ maxPerTeam: 1 })
  const lost: NamedInstancer = { ...instancer, create: () => Promise.reject(new UncertainError('Too late.')) }
  await expect(lifecycle.start({ ...startOf('team'), instancer: lost })).rejects.toThrow('Too late.')
  expect((await lifecycle.start(startOf('team'))).status).toBe('running')
  expect((await lifecycle.stop(instancer, keyOf('team'))).status).toBe('stopped')
  // The slot counts until the unknown start can have no effect any more.
  await expect(lifecycle.start(startOf('team', 'other'))).rejects.toThrow('as many as it may have')
  at += 1_000
  expect((await lifecycle.start(startOf('team'))).status).toBe('running')
  expect((await lifecycle.extend(instancer, keyOf('team'), 600_000)).status).toBe('running')
  at += 90_000
  expect((await lifecycle.stop(instancer, keyOf('team'))).status).toBe('stopped')
  expect(await places()).toEqual([])
})

test('concurrent starts and stops in any order end in a valid state that matches the slots', async () => {
  for (let round = 0; round < 20; round++) {
    const lifecycle = process()
    await Promise.allSettled([
      lifecycle.start(startOf('team')),
      lifecycle.stop(instancer, keyOf('team')),
      lifecycle.start(startOf('team')),
      lifecycle.stop(instancer, keyOf('team')),
    ])
    const { status }: InstanceDetails = await instancer.get(keyOf('team'))
    expect(['running', 'stopped']).toContain(status)
    await lifecycle.stop(instancer, keyOf('team'))
    expect(await places()).toEqual([])
  }
})

test('of twelve starts at once no machine gets more than its limit', async () => {
  const placed: (string | undefined)[] = []
  const { engine } = await memory({ startDelay: 0, stopDelay: 0 })
  const machines: Instancer = {
    ...engine,
    create(order, signal) {
      placed.push(order.host)
      return engine.create(order, signal)
    },
    // As an engine that has not carried out any of the starts yet.
    capacity: async () => [
      { host: 'one', used: 0, max: 2, isUp: true },
      { host: 'two', used: 1, max: 4, isUp: true },
      { host: 'away', used: 0, max: 100, isUp: false },
    ],
  }
  const { log } = recordLog()
  instancer = createInstancers({ engines: new Map([['local', machines]]), defaultName: 'local', log }).find()!
  const processes = [process(), process()]
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => processes[n % 2]!.start(startOf(`team-${n}`))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  expect(placed.toSorted()).toEqual(['one', 'one', 'two', 'two', 'two', 'two'])
  const refused = results.find((result) => result.status === 'rejected')
  expect(String(refused?.reason)).toMatch(/All 6 instance slots are in use\. .* in at most 11 minutes/)
})

test('a start that no machine can take has no slot', async () => {
  const { engine } = await memory({})
  const { log } = recordLog()
  const unreachable: Instancer = { ...engine, capacity: async () => [] }
  const refusing: Instancer = {
    ...engine,
    create: () => Promise.reject(new ProviderError('refused')),
    get: () => Promise.reject(new ProviderError('no response')),
  }
  for (const each of [unreachable, refusing]) {
    instancer = createInstancers({ engines: new Map([['local', each]]), defaultName: 'local', log }).find()!
    await expect(process().start(startOf('team-a'))).rejects.toThrow(ProviderError)
    expect(await places()).toEqual([])
  }
})

test('a refusal does not name a challenge that the team cannot see', async () => {
  const { start } = process({ maxPerTeam: 1 })
  await start(startOf('team-a', 'hidden-chall'))
  await expect(start(startOf('team-a', 'other'))).rejects.toThrow(
    'Your team has an instance, as many as it may have at once. It is being removed. Try again in a moment.',
  )
})

test('every process shows the position of a queued start', async () => {
  const [wait, open] = latch()
  instancer = { ...instancer, create: (order) => wait.then(() => created(order.teamId)) }
  const created = (teamId: string): InstanceDetails => {
    started.push(teamId)
    return { status: 'running', timeLeftMs: 600_000, endpoints: [] }
  }
  const started: string[] = []
  const [first, second] = [process({ maxStarting: 1 }), process()]
  const claimed: string[] = []
  const starts: Promise<unknown>[] = []
  for (const team of ['a', 'b', 'c']) {
    await new Promise<void>((resolve) => {
      const onClaimed = async () => void (claimed.push(team), resolve())
      starts.push(first.start({ ...startOf(team), onClaimed }))
    })
    at += 1000
  }
  await eventually(async () =>
    expect((await second.get(instancer, keyOf('a'))).queuePosition).toBeUndefined(),
  )
  expect(await second.get(instancer, keyOf('a'))).toMatchObject({ status: 'starting' })
  expect(await second.get(instancer, keyOf('b'))).toMatchObject({ status: 'starting', queuePosition: 1 })
  // A second browser of the team that starts it again joins the queue at the same position.
  expect(await second.start(startOf('c'))).toMatchObject({ status: 'starting', queuePosition: 2 })
  await second.stop(instancer, keyOf('c'))
  expect(await second.get(instancer, keyOf('c'))).toEqual({
    status: 'stopping',
    timeLeftMs: null,
    endpoints: [],
  })
  open()
  await Promise.allSettled(starts)
  expect([claimed, started]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b'],
  ])
})
