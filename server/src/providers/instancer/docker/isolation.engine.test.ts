import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inside, instancerOn, never, orderOf, reach, service } from '../../../../test/docker-instances.ts'
import { startEngine, TEST_IMAGE, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startMachine, type TestMachine } from '../../../../test/machine.ts'
import type { Instancer, Json } from '../instancer.ts'

const FIREWALL = fileURLToPath(new URL('../../../../../deploy/docker/firewall.sh', import.meta.url))
const METADATA = '169.254.169.254'

let machine: TestMachine
let engine: TestEngine
let instancer: Instancer
/** With `allowPrivileged`. */
let privileged: Instancer
/**
 * Ports that the machine serves to everyone who can reach it, as the platform does, and a port outside of it.
 */
let machinePort: number
let outside: Server
let outsidePort: number

beforeAll(async () => {
  machine = startMachine()
  engine = await startEngine(machine)
  const { url } = engine
  const publicHost = machine.address
  instancer = await instancerOn({ url, publicHost, manager: 'isolated' })
  privileged = await instancerOn({ url, publicHost, manager: 'open', more: { allowPrivileged: true } })
  machinePort = await machine.serve('machine')
  outside = createServer((socket) => socket.end('outside\n')).listen(0, '::')
  await once(outside, 'listening')
  const address = outside.address()
  outsidePort = typeof address === 'object' && address ? address.port : 0
  // As in many clouds.
  machine.run('ip', 'addr', 'add', `${METADATA}/32`, 'dev', 'lo')
  for (const team of ['team-a', 'team-b']) {
    await instancer.create(orderOf(team), never)
    await reach(instancer, orderOf(team))
  }
  await instancer.create(outOrder, never)
  await privileged.create(sharedOrder, never)
  await startWithIpv6()
})
afterAll(async () => {
  outside.close()
  await Promise.all([instancer.close?.(), privileged.close?.()])
  await engine[Symbol.asyncDispose]()
  machine[Symbol.dispose]()
})

const sleeper = { image: TEST_IMAGE, command: 'sleep 1000', user: '65534:65534', mem_limit: '16m' }

/** An instance with internet access. */
const outOrder = orderOf(
  'team-out',
  { services: { app: { ...sleeper, networks: ['out'] } }, networks: { out: { internal: false } } } as Json,
  { expose: [] },
)

/** An instance on the engine's default bridge. */
const sharedOrder = orderOf(
  'team-shared',
  { services: { app: { ...sleeper, network_mode: 'bridge' } } } as Json,
  { expose: [] },
)

/** A container on a bridge like that of an instance with internet access, on an engine that adds IPv6. */
async function startWithIpv6(): Promise<void> {
  await engine.call('POST', '/networks/create', {
    Name: 'six',
    Driver: 'bridge',
    EnableIPv6: true,
    IPAM: { Config: [{ Subnet: 'fd00:6::/64' }] },
    Options: { 'com.docker.network.bridge.name': 'pne6' },
  })
  const limits = ['nproc', 'nofile'].map((Name) => ({ Name, Soft: 1024, Hard: 1024 }))
  await engine.call('POST', '/containers/create?name=six', {
    Image: TEST_IMAGE,
    Cmd: ['sleep', '1000'],
    HostConfig: { NetworkMode: 'six', Ulimits: limits },
  })
  await engine.call('POST', '/containers/six/start')
}

/** The response that a program inside gets from an address within two seconds. */
function asked(team: string, host: string, port: number): Promise<string> {
  const command = `nc -w 2 ${host} ${port} </dev/null; echo "ended with $?"`
  return team === 'six' ? engine.exec('six', command) : inside(engine, team, command)
}

/** The addresses that respond, as `team address`. */
async function reached(tries: readonly (readonly [string, string, number])[]): Promise<Set<string>> {
  const responses = await Promise.all(tries.map(([team, host, port]) => asked(team, host, port)))
  const answering = tries.filter((_, at) => /machine|outside/.test(responses[at] ?? ''))
  return new Set(answering.map(([team, host]) => `${team} ${host}`))
}

/** All addresses of the instance's services, and those of the machine on its networks. */
async function addressesOf(team: string): Promise<{ own: string; host: string }[]> {
  const text = await inside(engine, team, 'ip -4 addr')
  return [...text.matchAll(/inet (\d+\.\d+\.\d+)\.(\d+)\/(28|16)/g)].map(
    ([, net = '', last = '0', size]) => ({
      own: `${net}.${last}`,
      host: `${net}.${size === '28' ? Math.floor(Number(last) / 16) * 16 + 1 : 1}`,
    }),
  )
}

/** The connections that the machine must block: team, address, port. */
async function forbidden(): Promise<[string, string, number][]> {
  const { private: privateAddress, private6 } = machine.outside
  const tries: [string, string, number][] = []
  for (const team of ['team-a', 'team-out', 'team-shared'])
    for (const { host } of await addressesOf(team)) tries.push([team, host, machinePort])
  // Every bridge has an IPv6 address, even when the engine assigns none to containers.
  const links = machine.run('ip', '-6', '-o', 'addr', 'show', 'scope', 'link')
  for (const [, bridge = '', address = ''] of links.matchAll(/: (p\w+) +inet6 (fe80[\da-f:]+)/g)) {
    if (bridge.startsWith('pni')) tries.push(['team-a', `${address}%eth0`, machinePort])
    if (/^pne(?!6)/.test(bridge)) tries.push(['team-out', `${address}%eth0`, machinePort])
    if (bridge === 'podman0') tries.push(['team-shared', `${address}%eth0`, machinePort])
  }
  for (const team of ['team-out', 'team-shared'])
    tries.push(
      [team, METADATA, machinePort],
      [team, machine.address, machinePort],
      [team, privateAddress, outsidePort],
    )
  tries.push(['six', 'fd00:6::1', machinePort], ['six', private6, outsidePort])
  return tries
}

/** The flag of an address that the kernel still compares with those of others on the link: no one can use it yet. */
const TENTATIVE = 0x40
/** Each probe starts a program in every container. */
const LOOK_MS = 250

/** Waits until every IPv6 address can be used, which takes the kernel a second or two. */
async function addressesAreReady(): Promise<void> {
  await eventually(async () => {
    const inTeams = ['team-a', 'team-out', 'team-shared'].map((team) =>
      inside(engine, team, 'cat /proc/net/if_inet6'),
    )
    const lists = [machine.run('cat', '/proc/net/if_inet6'), ...(await Promise.all(inTeams))]
    const flags = lists.flatMap((list) =>
      list.split('\n').flatMap((line) => (line.startsWith('fe80') ? [line.split(/ +/)[4] ?? ''] : [])),
    )
    expect(flags.filter((flag) => Number.parseInt(flag, 16) & TENTATIVE)).toEqual([])
  }, LOOK_MS)
}

test('without the firewall the host and private networks are reachable', async () => {
  await addressesAreReady()
  const tries = await forbidden()
  // A try ends after a time limit, which a busy machine exceeds: what must be reachable is tried again.
  await eventually(async () => {
    const answered = await reached(tries)
    const teams = [...answered].map((each) => each.split(' ')[0])
    // One of the bridges of each is its own; on the others nothing responds.
    expect([...answered].filter((each) => each.includes('fe80')).length).toBeGreaterThanOrEqual(3)
    expect(new Set(teams)).toEqual(new Set(['team-a', 'team-out', 'team-shared', 'six']))
    for (const team of ['team-out', 'team-shared'])
      for (const host of [METADATA, machine.address, machine.outside.private])
        expect(answered).toContain(`${team} ${host}`)
    expect(answered).toContain(`six ${machine.outside.private6}`)
  }, LOOK_MS)
})

test('with the firewall they are unreachable, even after the engine has put its own rules first', async () => {
  machine.run(FIREWALL)
  machine.run(FIREWALL, 'install')
  for (const command of ['iptables', 'ip6tables'])
    for (const chain of ['INPUT', 'FORWARD']) machine.run(command, '-I', chain, '-j', 'ACCEPT')
  expect(await reached(await forbidden())).toEqual(new Set())
})

test('instances with egress reach the internet over IPv4 and IPv6', async () => {
  const { internet, internet6 } = machine.outside
  expect(await asked('team-out', internet, outsidePort)).toContain('outside')
  expect(await asked('team-shared', internet, outsidePort)).toContain('outside')
  expect(await asked('six', internet6, outsidePort)).toContain('outside')
  expect(await asked('team-a', internet, outsidePort)).not.toContain('outside')
})

test('players still reach instances through the firewall, including new ones', async () => {
  expect(await reach(instancer, orderOf('team-a'))).toContain('flag{team-a}')
  const order = orderOf('team-late')
  await instancer.create(order, never)
  expect(await reach(instancer, order)).toContain('flag{team-late}')
  await instancer.delete(order, never)
})

test('the firewall can include the default bridge, and its removal leaves no rule', async () => {
  machine.run('env', 'SHARED_BRIDGES=', FIREWALL)
  expect(await asked('team-shared', machine.outside.private, outsidePort)).toContain('outside')
  expect(await asked('team-out', machine.outside.private, outsidePort)).not.toContain('outside')
  machine.run(FIREWALL, 'remove')
  for (const command of ['iptables', 'ip6tables'])
    expect(machine.run(command, '-t', 'mangle', '-S')).not.toContain('PENNANT')
  expect(await asked('team-out', machine.outside.private, outsidePort)).toContain('outside')
  machine.run(FIREWALL)
})

test('the entry network works, and a service can connect to itself', async () => {
  expect(await asked('team-a', '127.0.0.1', 1337)).toContain('flag is flag{team-a}')
})

test('a team cannot reach the instance of another, by address or by name', async () => {
  const others = await addressesOf('team-b')
  expect(others).toHaveLength(1)
  for (const { own } of others) expect(await asked('team-a', own, 1337)).not.toContain('flag{team-b}')
  expect(await asked('team-a', 'app', 1337)).not.toContain('flag{team-b}')
  const named = (await engine.call('GET', '/containers/json')) as { Names: string[] }[]
  const names = named.flatMap(({ Names }) => Names).map((name) => name.replace('/', ''))
  expect(names.filter((name) => name.startsWith('isolated-')).length).toBeGreaterThan(3)
  const responses = await Promise.all(names.map((name) => asked('team-a', name, 1337)))
  expect(responses.join('')).not.toContain('flag{team-b}')
  const published = (await instancer.get(orderOf('team-b'), never)).endpoints[0]?.port ?? 0
  for (const { host } of await addressesOf('team-a'))
    expect(await asked('team-a', host, published)).not.toContain('flag{team-b}')
})

test('nothing outside is reachable, including metadata services', async () => {
  expect(await inside(engine, 'team-a', 'ip route')).not.toContain('default')
  expect(await asked('team-a', '169.254.169.254', 80)).toMatch(/unreachable/i)
  expect(await asked('team-a', '1.1.1.1', 53)).toMatch(/unreachable/i)
})

test('raw sockets and new namespaces are refused', async () => {
  const order = orderOf('team-raw', service('sleep 1000'), { expose: [] })
  await instancer.create(order, never)
  expect(
    await inside(engine, 'team-raw', 'ip route add default via 10.0.0.1 || ip link set lo down'),
  ).toMatch(/not permitted/)
  await instancer.delete(order, never)
})

test("instances do not contain the platform's secrets", async () => {
  const environment = await inside(engine, 'team-a', 'env; cat /proc/1/environ')
  expect(environment).toContain('flag{team-a}')
  expect(environment).not.toMatch(/team-b|DATABASE_URL|TOKEN|SECRET/)
})
