import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FLAG_SERVICE,
  instancerOn,
  leftovers,
  never,
  orderOf,
  reach,
} from '../../../../test/docker-instances.ts'
import { startEngine, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { Instancer } from '../instancer.ts'
import { START_LIMIT_MS } from './internal/read-instances.ts'

let engine: TestEngine

beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine[Symbol.asyncDispose]())

const teams = (count: number) => Array.from({ length: count }, (_, at) => `team-${at}`)

async function allOf(instancer: Instancer): Promise<string[]> {
  const { instances = [] } = (await instancer.list?.(never)) ?? {}
  return instances.map(({ teamId }) => teamId).sort()
}

test('twenty starts of one team from two processes create one instance', async () => {
  const processes = [
    await instancerOn({ url: engine.url, manager: 'twenty' }),
    await instancerOn({ url: engine.url, manager: 'twenty' }),
  ]
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, at) => processes[at % 2]?.create(orderOf('team'), never)),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(String(result.reason)).toMatch(/already/)
  const [first] = processes
  expect(await allOf(first!)).toEqual(['team'])
  expect(await reach(first!, orderOf('team'))).toContain('flag{team}')
  await Promise.all(processes.map((each) => each.delete(orderOf('team'), never)))
  expect(await leftovers(engine, 'twenty')).toBe(0)
  await Promise.all(processes.map((each) => each.close?.()))
})

test('fifty teams start concurrently: each gets its own instance, with none lost, duplicated or left behind', async () => {
  const instancer = await instancerOn({ url: engine.url, manager: 'fifty' })
  await Promise.all(teams(50).map((team) => instancer.create(orderOf(team), never)))
  expect(await allOf(instancer)).toEqual(teams(50).sort())
  for (const team of teams(50)) expect(await reach(instancer, orderOf(team))).toBe(`flag is flag{${team}}\n`)
  const ports = await Promise.all(
    teams(50).map(async (team) => (await instancer.get(orderOf(team), never)).endpoints[0]?.port),
  )
  expect(new Set(ports).size).toBe(50)
  await Promise.all(teams(50).map((team) => instancer.delete(orderOf(team), never)))
  expect(await leftovers(engine, 'fifty')).toBe(0)
  await instancer.close?.()
}, 300_000)

test('reports a host without capacity', async () => {
  const host = (name: string, maxInstances: number) => ({
    name,
    url: engine.url,
    publicHost: '127.0.0.1',
    maxInstances,
  })
  const small = await instancerOn({ url: engine.url, manager: 'small', more: { hosts: [host('one', 2)] } })
  await small.create(orderOf('team-0'), never)
  await small.create(orderOf('team-1'), never)
  await expect(small.create(orderOf('team-2'), never)).rejects.toThrow(/All instance slots/)
  expect(await small.capacity?.(never)).toEqual([{ host: 'one', used: 2, max: 2, isUp: true }])
  await Promise.all([0, 1].map((n) => small.delete(orderOf(`team-${n}`), never)))
  await small.close?.()
})

test('a start that is cancelled halfway is rolled back', async () => {
  let at = Date.now()
  const instancer = await instancerOn({ url: engine.url, manager: 'abort', now: () => at })
  for (const afterMs of [20, 120, 300]) {
    const giveUp = AbortSignal.timeout(afterMs)
    const order = orderOf('team-0')
    const ended = await instancer.create(order, giveUp).then(
      () => 'made',
      () => 'given up',
    )
    if (ended === 'made') await instancer.delete(order, never)
    // Maintenance removes what a busy engine creates after the last check.
    at += START_LIMIT_MS
    await eventually(async () => {
      await instancer.prune?.(never)
      expect(await leftovers(engine, 'abort'), `${afterMs} ms`).toBe(0)
    })
  }
  await instancer.close?.()
})

test('removes partial instances of a dead process, but not those still being created', async () => {
  let at = Date.now()
  const instancer = await instancerOn({ url: engine.url, manager: 'half', now: () => at })
  const order = orderOf('team-0', FLAG_SERVICE, { timeoutMs: 3_600_000 })
  await instancer.create(order, never)
  await reach(instancer, order)
  await removeParts()
  expect((await instancer.get(order, never)).status).toBe('starting')
  expect(await instancer.prune?.(never)).toBe(0)
  at += START_LIMIT_MS
  expect((await instancer.get(order, never)).status).toBe('errored')
  expect(await instancer.prune?.(never)).toBe(1)
  expect(await leftovers(engine, 'half')).toBe(0)
  await instancer.create(order, never)
  await instancer.delete(order, never)
  await instancer.close?.()
})

/** Simulates a process that died after creating the networks. */
async function removeParts(): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: ['org.pennant.manager=half'] }))
  const parts = (await engine.call('GET', `/containers/json?all=1&filters=${filters}`)) as {
    Id: string
    Labels: Record<string, string>
  }[]
  for (const { Id, Labels } of parts)
    if (/service|relay/.test(Labels['org.pennant.role'] ?? ''))
      await engine.call('DELETE', `/containers/${Id}?force=true`)
}

test('removes networks and volumes without an instance', async () => {
  const instancer = await instancerOn({ url: engine.url, manager: 'lost' })
  const labels = { 'org.pennant.manager': 'lost', 'org.pennant.instance': '0123456789ab' }
  await engine.call('POST', '/networks/create', {
    Name: 'lost-net',
    Driver: 'bridge',
    Internal: true,
    Labels: labels,
  })
  await engine.call('POST', '/volumes/create', { Name: 'lost-volume', Labels: labels })
  expect(await leftovers(engine, 'lost')).toBe(2)
  await instancer.prune?.(never)
  expect(await leftovers(engine, 'lost')).toBe(0)
  await instancer.close?.()
})
