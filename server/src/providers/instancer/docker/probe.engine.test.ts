import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FLAG_SERVICE,
  instancerOn,
  leftovers,
  never,
  orderOf,
  OUTWARD_ADDRESS,
  reach,
} from '../../../../test/docker-instances.ts'
import { startEngine, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startMachine } from '../../../../test/machine.ts'
import { START_LIMIT_MS } from './internal/read-instances.ts'

let engine: TestEngine

beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine[Symbol.asyncDispose]())

/** An instancer that has two ports. */
async function withTwoPorts(from: number, manager: string) {
  const hosts = [{ name: 'here', url: engine.url, publicHost: OUTWARD_ADDRESS }]
  return instancerOn({ url: '', manager, more: { hosts, ports: { from, to: from + 1 } } })
}

/** A rule as an engine that was killed leaves it behind: it leads to an address that no container has. */
function staleRule(port: number): Disposable {
  const rule = (action: '-I' | '-D') =>
    execFileSync(
      'iptables',
      `-t nat ${action} OUTPUT -p tcp -d ${OUTWARD_ADDRESS} --dport ${port} -j DNAT --to 127.0.0.1:1`.split(
        ' ',
      ),
    )
  rule('-I')
  return { [Symbol.dispose]: () => void rule('-D') }
}

test('a port that a leftover rule diverts is not given to a team, and organisers see it', async () => {
  const instancer = await withTwoPorts(32_750, 'stale')
  using _ = staleRule(32_750)
  const order = orderOf('team-stale', FLAG_SERVICE)
  await instancer.create(order, never)
  expect(await reach(instancer, order)).toBe('flag is flag{team-stale}\n')
  expect((await instancer.get(order, never)).endpoints[0]?.port).toBe(32_751)
  // The start may have taken the other port first.
  const second = orderOf('team-second', FLAG_SERVICE)
  await expect(instancer.create(second, never)).rejects.toThrow(/ports/i)
  expect(await instancer.capacity?.(never)).toMatchObject([{ used: 1, avoidedPorts: [32_750] }])
  await instancer.delete(order, never)
  await instancer.close?.()
})

test('an engine killed in network setup leaves a rule whose port no team gets', async () => {
  using machine = startMachine()
  await using host = await startEngine(machine)
  let at = Date.now()
  const hosts = [{ name: 'here', url: host.url, publicHost: machine.address }]
  const more = { hosts, ports: { from: 32_730, to: 32_731 } }
  const instancer = await instancerOn({ url: '', manager: 'killed', now: () => at, more })
  const [killed] = await Promise.allSettled([
    instancer.create(orderOf('team-killed'), never),
    host.killInNetworkSetup().then(() => host.restart()),
  ])
  expect(killed.status).toBe('rejected')
  at += START_LIMIT_MS
  await eventually(async () => {
    await instancer.prune?.(never)
    expect(await leftovers(host, 'killed')).toBe(0)
  })
  const rules = machine.run('iptables', '-t', 'nat', '-S')
  const [, stale] = /--dport (\d+) .*-j DNAT/.exec(rules) ?? []
  const order = orderOf('team-next')
  await instancer.create(order, never)
  expect(await reach(instancer, order)).toBe('flag is flag{team-next}\n')
  await expect(instancer.create(orderOf('team-third'), never)).rejects.toThrow(/ports/i)
  expect(await instancer.capacity?.(never)).toMatchObject([{ used: 1, avoidedPorts: [Number(stale)] }])
  await instancer.delete(order, never)
  await instancer.close?.()
})

test('a port on which something else answers is not used', async () => {
  const instancer = await withTwoPorts(32_740, 'other')
  const other = createServer((socket) => socket.on('error', () => {}).end('something else')).listen(
    32_741,
    OUTWARD_ADDRESS,
  )
  await once(other, 'listening')
  const order = orderOf('team-other', FLAG_SERVICE)
  await instancer.create(order, never)
  expect((await instancer.get(order, never)).endpoints[0]?.port).toBe(32_740)
  await instancer.delete(order, never)
  other.close()
  await instancer.close?.()
})

test('without probes a port is used as it is', async () => {
  const hosts = [{ name: 'here', url: engine.url, publicHost: '192.0.2.254', probe: false }]
  const instancer = await instancerOn({ url: '', manager: 'unprobed', more: { hosts } })
  const order = orderOf('team-unprobed', FLAG_SERVICE)
  await instancer.create(order, never)
  expect((await instancer.get(order, never)).status).toMatch(/starting|running/)
  await instancer.delete(order, never)
  await instancer.close?.()
})
