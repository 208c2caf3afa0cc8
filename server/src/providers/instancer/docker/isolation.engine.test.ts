import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inside, instancerOn, never, orderOf, reach, service } from '../../../../test/docker-instances.ts'
import { startEngine, TEST_IMAGE, type TestEngine } from '../../../../test/engine.ts'
import type { Instancer, Json } from '../instancer.ts'
import { InstanceConfig } from './instance-config.ts'

const FIREWALL = fileURLToPath(new URL('../../../../../deploy/docker/firewall.sh', import.meta.url))

let engine: TestEngine
let instancer: Instancer
/** Something that this machine offers to everybody who can reach it, as the platform itself does. */
let platform: Server
let platformPort: number

beforeAll(async () => {
  engine = await startEngine()
  instancer = await instancerOn({ url: engine.url, manager: 'walls' })
  platform = createServer((socket) => socket.end('platform\n')).listen(0, '0.0.0.0')
  await once(platform, 'listening')
  const address = platform.address()
  platformPort = typeof address === 'object' && address ? address.port : 0
  // As in many clouds; without the firewall it answers.
  machine('ip', 'addr', 'replace', '169.254.169.254/32', 'dev', 'lo')
  for (const team of ['team-a', 'team-b']) {
    await instancer.create(orderOf(team), never)
    await reach(instancer, orderOf(team))
  }
})
afterAll(async () => {
  firewall('remove')
  machine('ip', 'addr', 'del', '169.254.169.254/32', 'dev', 'lo')
  platform.close()
  await instancer.close?.()
  await engine[Symbol.asyncDispose]()
})

function machine(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

function firewall(verb: 'install' | 'remove'): void {
  machine(FIREWALL, verb)
}

/** An instance that may go out to the internet. */
function outOrder() {
  const app = { image: TEST_IMAGE, command: 'sleep 1000', user: '65534:65534', mem_limit: '16m' }
  const open = InstanceConfig.parse({
    services: { app: { ...app, networks: ['out'] } },
    networks: { out: { internal: false } },
  }) as Json
  return orderOf('team-out', open, { expose: [] })
}

/** What a program inside gets from an address within two seconds. */
function asked(team: string, host: string, port: number): Promise<string> {
  return inside(engine, team, `nc -w 2 ${host} ${port} </dev/null; echo "ended with $?"`)
}

/** All addresses that the instance's services have, and those of the host on its networks. */
async function addressesOf(team: string): Promise<{ own: string; host: string }[]> {
  const text = await inside(engine, team, 'ip -4 addr')
  return [...text.matchAll(/inet (\d+\.\d+\.\d+)\.(\d+)\/28/g)].map(([, net = '', last = '0']) => ({
    own: `${net}.${last}`,
    host: `${net}.${Math.floor(Number(last) / 16) * 16 + 1}`,
  }))
}

test('without the firewall the machine is within reach, so the tries below can succeed', async () => {
  const [mine] = await addressesOf('team-a')
  expect(await asked('team-a', mine?.host ?? '', platformPort)).toContain('platform')
  const out = outOrder()
  await instancer.create(out, never)
  expect(await asked('team-out', '169.254.169.254', platformPort)).toContain('platform')
  await instancer.delete(out, never)
  firewall('install')
  firewall('install')
})

test('the way in is open, and a service can speak to itself', async () => {
  expect(await asked('team-a', '127.0.0.1', 1337)).toContain('flag is flag{team-a}')
})

test('one team cannot reach the instance of another, by address or by name', async () => {
  const others = await addressesOf('team-b')
  expect(others).toHaveLength(1)
  for (const { own } of others) expect(await asked('team-a', own, 1337)).not.toContain('flag{team-b}')
  expect(await asked('team-a', 'app', 1337)).not.toContain('flag{team-b}')
  const published = (await instancer.get(orderOf('team-b'), never)).endpoints[0]?.port ?? 0
  for (const { host } of await addressesOf('team-a'))
    expect(await asked('team-a', host, published)).not.toContain('flag{team-b}')
})

test('the machine and the platform on it are out of reach', async () => {
  const ownAddresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  const tried = new Set([...ownAddresses, ...(await addressesOf('team-a')).map(({ host }) => host)])
  expect(tried.size).toBeGreaterThan(0)
  for (const address of tried) expect(await asked('team-a', address, platformPort)).not.toContain('platform')
})

test('nothing outside is in reach, metadata services least of all', async () => {
  expect(await inside(engine, 'team-a', 'ip route')).not.toContain('default')
  expect(await asked('team-a', '169.254.169.254', 80)).toMatch(/unreachable/i)
  expect(await asked('team-a', '1.1.1.1', 53)).toMatch(/unreachable/i)
})

test('an instance with a way out reaches neither private networks nor the machine', async () => {
  const order = outOrder()
  await instancer.create(order, never)
  expect(await inside(engine, 'team-out', 'ip route')).toContain('default')
  const [mine] = await addressesOf('team-out')
  for (const host of [mine?.host ?? '', '169.254.169.254'])
    expect(await asked('team-out', host, platformPort)).not.toContain('platform')
  for (const { own } of await addressesOf('team-b'))
    expect(await asked('team-out', own, 1337)).not.toContain('flag{team-b}')
  await instancer.delete(order, never)
})

test('raw sockets and new namespaces are refused', async () => {
  const order = orderOf('team-raw', service('sleep 1000'), { expose: [] })
  await instancer.create(order, never)
  expect(
    await inside(engine, 'team-raw', 'ip route add default via 10.0.0.1 || ip link set lo down'),
  ).toMatch(/not permitted/)
  await instancer.delete(order, never)
})

test('the secrets of the platform are not inside', async () => {
  const environment = await inside(engine, 'team-a', 'env; cat /proc/1/environ')
  expect(environment).toContain('flag{team-a}')
  expect(environment).not.toMatch(/team-b|DATABASE_URL|TOKEN|SECRET/)
})
