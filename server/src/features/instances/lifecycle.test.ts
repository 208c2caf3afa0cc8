import { beforeEach, afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { keepLog } from '../../../test/log.ts'
import type { InstanceDetails, Instancer } from '../../providers/instancer/instancer.ts'
import { memoryInstancer } from '../../providers/instancer/memory.ts'
import { createInstancers, type NamedInstancer } from '../../providers/instancer/registry.ts'
import { ProviderError } from '../../providers/provider.ts'
import { createLifecycle, type LifecycleLimits } from './lifecycle.ts'
import { listSlots } from './slots.ts'

const limits: LifecycleLimits = {
  maxRunning: 10,
  maxPerTeam: 2,
  maxStarting: 10,
  maxWaiting: 1000,
  maxWaitMs: 60_000,
}

let database: Awaited<ReturnType<typeof openTestDatabase>>
let engine: Instancer
let instancer: NamedInstancer
let at: number

beforeEach(async () => {
  database = await openTestDatabase()
  at = Date.parse('2026-05-01T12:00:00Z')
  const { log } = keepLog()
  const world = { fetch, log, now: () => at, dataDir: '/nonexistent' }
  engine = await memoryInstancer.start(
    memoryInstancer.options.parse({ startDelay: 0, stopDelay: 0 }) as never,
    world,
  )
  instancer = createInstancers({ engines: new Map([['local', engine]]), defaultName: 'local', log }).find()!
})
afterEach(() => database[Symbol.asyncDispose]())

/** As one process has it: what is in memory is its own, the database is shared. */
const process = (more: Partial<LifecycleLimits> = {}) =>
  createLifecycle({
    db: database.db,
    now: () => at,
    limits: { ...limits, ...more },
    challengeName: (id) => id.toUpperCase(),
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
const places = async () => (await listSlots(database.db, at)).map(({ teamId }) => teamId).sort()

test('fifty starts on ten places, from two processes: ten run, forty are told why, the next ones follow', async () => {
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
        'ProviderError: All 10 places for instances are taken. The next one is free at the latest in 11 minutes.',
      )
  const states = await Promise.all(teams.map((team) => instancer.get(keyOf(team))))
  expect(teams.filter((_, n) => states[n]?.status === 'running')).toEqual(running)
  await processes[0]!.stop(instancer, keyOf(running[0]!))
  const waiting = teams.find((team) => !running.includes(team))!
  expect((await processes[1]!.start(startOf(waiting))).status).toBe('running')
})

test('with room for all, fifty starts at once all end with an instance, ten at a time', async () => {
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

test('twenty presses of one team make one instance, whatever process they reach', async () => {
  let creates = 0
  const single: NamedInstancer = {
    ...instancer,
    async create(order) {
      if (++creates > 1) throw new ProviderError('The instance is being started already.')
      await new Promise((resolve) => setImmediate(resolve))
      return instancer.create(order)
    },
    get: async (key) =>
      creates > 0 ? { ...(await instancer.get(key)), status: 'starting' } : instancer.get(key),
  }
  const processes = [process(), process()]
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      (processes[n % 2] ?? process()).start({ ...startOf('team'), instancer: single }),
    ),
  )
  expect(answers.every(({ status }) => ['starting', 'running'].includes(status))).toBe(true)
  expect(creates).toBe(2)
  expect(await places()).toEqual(['team'])
})

test('a team has as many as it may, and is told what to stop', async () => {
  const lifecycle = process()
  await lifecycle.start(startOf('team', 'one'))
  await lifecycle.start(startOf('team', 'two'))
  await expect(lifecycle.start(startOf('team', 'three'))).rejects.toThrow(
    /^Your team has 2 instances, as many as it may have at once\. Stop one first: (ONE, TWO|TWO, ONE)\.$/,
  )
  await lifecycle.stop(instancer, keyOf('team', 'one'))
  expect((await lifecycle.start(startOf('team', 'three'))).status).toBe('running')
})

test('a start that fails frees its place, and one that nobody can tell of keeps it', async () => {
  const lifecycle = process()
  await expect(lifecycle.start(startOf('team', 'chall', { outcome: 'refused' }))).rejects.toThrow(
    'The instance cannot be started.',
  )
  expect(await places()).toEqual([])
  const away = () => Promise.reject(new ProviderError('The engine is away.'))
  const gone: NamedInstancer = { ...instancer, create: away, get: away }
  await expect(lifecycle.start({ ...startOf('team'), instancer: gone })).rejects.toThrow(
    'The engine is away.',
  )
  expect(await places()).toEqual(['team'])
})

test('extending keeps the place, and what is over frees it', async () => {
  const lifecycle = process({ maxRunning: 1 })
  await lifecycle.start(startOf('team'))
  at += 599_000
  await lifecycle.extend(instancer, keyOf('team'), 600_000)
  at += 500_000
  await expect(lifecycle.start(startOf('other'))).rejects.toThrow(/All 1 places/)
  at += 200_000
  expect((await lifecycle.start(startOf('other'))).status).toBe('running')
})

test('start, stop and start in any order at once end in one of their states, and the book agrees', async () => {
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
