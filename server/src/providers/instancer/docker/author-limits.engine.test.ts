import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inside, instancerOn, never, orderOf, tcp, untilRunning } from '../../../../test/docker-instances.ts'
import { startEngine, TEST_IMAGE, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startMachine, type TestMachine } from '../../../../test/machine.ts'
import type { Instancer, Json } from '../instancer.ts'

// What challenge authors must not have, each with proof that it works where the operator allows it.

let machine: TestMachine
let engine: TestEngine
/** With `allowPrivileged`. */
let privileged: Instancer
let strict: Instancer

beforeAll(async () => {
  machine = startMachine()
  engine = await startEngine(machine)
  const { url } = engine
  const publicHost = machine.address
  privileged = await instancerOn({ url, publicHost, manager: 'privileged', more: { allowPrivileged: true } })
  strict = await instancerOn({ url, publicHost, manager: 'strict' })
})
afterAll(async () => {
  await Promise.all([privileged.close?.(), strict.close?.()])
  await engine[Symbol.asyncDispose]()
  machine[Symbol.dispose]()
})

function configOf(fields: object, more: object = {}): Json {
  const app = { image: TEST_IMAGE, command: 'sleep 1000', mem_limit: '128m', user: '0:0', ...fields }
  return { services: { app }, ...more }
}

function order(teamId: string, config: Json) {
  return orderOf(teamId, config, { expose: [] })
}

/** Starts an instance, runs the command in it as a player could, and stops it. */
async function tried(instancer: Instancer, config: Json, command: string): Promise<string> {
  const wanted = order('team-a', config)
  await instancer.create(wanted, never)
  try {
    await untilRunning(instancer, wanted)
    return await inside(engine, 'team-a', command)
  } finally {
    await instancer.delete(wanted, never)
  }
}

/** Refused on saving, and on starting if it was saved before. */
async function refused(config: Json, reason: RegExp): Promise<void> {
  const { error } = strict.config.safeParse(config)
  expect(JSON.stringify(error?.issues)).toMatch(reason)
  await expect(strict.create(order('team-a', config), never)).rejects.toThrow(reason)
}

/** Larger than any limit below. */
const fill = (path: string) => `dd if=/dev/zero of=${path} bs=1048576 count=96; ls -l ${path}`
const FILLED = /100663296/
const FULL = /No space left on device/

test("the shared bridge is refused, because one team could reach another team's service through it", async () => {
  const listening = configOf({ network_mode: 'bridge', command: `nc -ll -p 1337 -e echo "flag of b"` })
  await privileged.create(order('team-b', listening), never)
  await untilRunning(privileged, order('team-b', listening))
  const addresses = await inside(engine, 'team-b', 'ip -4 addr show eth0')
  const [, address = ''] = /inet ([\d.]+)/.exec(addresses) ?? []
  const config = configOf({ network_mode: 'bridge' })
  expect(await tried(privileged, config, `nc -w 2 ${address} 1337 </dev/null`)).toContain('flag of b')
  await privileged.delete(order('team-b', listening), never)
  await refused(config, /network_mode.*allowPrivileged/)
})

test('a sysctl that turns a service into a router works only if the operator allows it', async () => {
  const config = configOf(
    { networks: ['inner'], sysctls: { 'net.ipv4.ip_forward': '1' } },
    { networks: { inner: {} } },
  )
  const command = 'cat /proc/sys/net/ipv4/ip_forward'
  expect(await tried(privileged, config, command)).toBe('1\n')
  await refused(config, /sysctls.*allowPrivileged/)
  const safe = configOf({ sysctls: { 'net.ipv4.ip_unprivileged_port_start': '80' } })
  expect(await tried(strict, safe, 'cat /proc/sys/net/ipv4/ip_unprivileged_port_start')).toBe('80\n')
})

test('core dumps, which the host may write to its own disk, must be allowed by the operator', async () => {
  const ulimits = { core: { soft: 1_048_576, hard: 1_048_576 }, nofile: { soft: 99, hard: 99 } }
  const command = 'grep -E "core|open files" /proc/self/limits'
  expect(await tried(privileged, configOf({ ulimits }), command)).toMatch(/core file size +1048576/)
  await refused(configOf({ ulimits }), /ulimits.*allowPrivileged/)
  const { nofile } = ulimits
  const kept = await tried(strict, configOf({ ulimits: { nofile } }), command)
  expect(kept).toMatch(/core file size +0 +0/)
  expect(kept).toMatch(/open files +99 +99/)
})

test("a writable root can fill the host's disk, so it requires a limit that the engine enforces", async () => {
  const config = configOf({ read_only: false })
  expect(await tried(privileged, config, fill('/big'))).toMatch(FILLED)
  await refused(config, /read_only.*writableLayerSize/)
  const limited = await instancerOn({
    url: engine.url,
    manager: 'limited',
    more: { writableLayerSize: '16m' },
  })
  expect(limited.config.safeParse(config).success).toBe(true)
  // This engine stores layers as plain folders: it must not start anything without a limit.
  await expect(limited.create(order('team-a', config), never)).rejects.toThrow(
    'The service app could not be started: the engine cannot limit its disk, so read_only must be true',
  )
  await limited.close?.()
})

test('a volume is memory of a limited size, not disk', async () => {
  const config = configOf({ volumes: ['data:/data'] }, { volumes: { data: {} } })
  expect(await tried(privileged, config, fill('/data/big'))).toMatch(FILLED)
  expect(await tried(strict, config, fill('/data/big'))).toMatch(FULL)
  const sized = (o: string) =>
    configOf({ volumes: ['data:/data'] }, { volumes: { data: { driver: 'tmpfs', driver_opts: { o } } } })
  expect(await tried(strict, sized('size=8m'), 'df /data')).toMatch(/8192/)
  await refused(sized('size=99g'), /volumes.*size of at most 256m/)
  await refused(sized('size=0'), /volumes.*size of at most 256m/)
})

test('services of one instance share a volume', async () => {
  const app = { image: TEST_IMAGE, mem_limit: '16m', user: '65534:65534', volumes: ['data:/data'] }
  const config = {
    services: {
      app: {
        ...app,
        command: `sh -c 'until cat /data/note; do sleep 1; done; exec nc -ll -p 1337 -e cat /data/note'`,
      },
      other: { ...app, command: `sh -c 'echo "from the other" > /data/note; exec sleep 1000'` },
    },
    volumes: { data: {} },
  }
  const wanted = orderOf('team-v', config, { expose: [tcp()] })
  await strict.create(wanted, never)
  await untilRunning(strict, wanted)
  await strict.delete(wanted, never)
})

test('a volume declared by an image is memory of a limited size, not disk', async () => {
  const image = 'localhost/declares:1'
  const { Id } = (await engine.call('POST', '/containers/create', { Image: TEST_IMAGE, Cmd: ['true'] })) as {
    Id: string
  }
  const changes = encodeURIComponent('VOLUME /data')
  await engine.call('POST', `/commit?container=${Id}&repo=localhost/declares&tag=1&changes=${changes}`, {})
  await engine.call('DELETE', `/containers/${Id}`)
  expect(await tried(privileged, configOf({ image }), fill('/data/big'))).toMatch(FILLED)
  expect(await tried(strict, configOf({ image }), fill('/data/big'))).toMatch(FULL)
  const sized = configOf({ image, tmpfs: { '/data/': 'size=8m' } })
  expect(await tried(strict, sized, 'df /data')).toMatch(/8192/)
})

test("a service's output cannot fill the disk", async () => {
  const printing = `sh -c 'yes 0123456789012345678901234567890123456789 | head -c 8000000; exec sleep 1000'`
  const logSizeOf = async (id: string) =>
    (await stat(join(dirname(engine.socketPath), 'root/vfs-containers', id, 'userdata/ctr.log'))).size
  const ulimits = ['nproc', 'nofile'].map((Name) => ({ Name, Soft: 1024, Hard: 1024 }))
  const { Id } = (await engine.call('POST', '/containers/create', {
    Image: TEST_IMAGE,
    Cmd: ['sh', '-c', 'yes 0123456789012345678901234567890123456789 | head -c 8000000'],
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'json-file' }, Ulimits: ulimits },
  })) as { Id: string }
  await engine.call('POST', `/containers/${Id}/start`)
  await engine.call('POST', `/containers/${Id}/wait`)
  expect(await logSizeOf(Id)).toBeGreaterThan(8_000_000)

  const wanted = order('team-a', configOf({ command: printing }))
  await strict.create(wanted, never)
  // The shell becomes `sleep` after printing everything.
  await eventually(async () =>
    expect(await inside(engine, 'team-a', 'cat /proc/1/cmdline')).toMatch(/^sleep/),
  )
  const filters = encodeURIComponent(JSON.stringify({ label: ['org.pennant.role=service'] }))
  const [found] = (await engine.call('GET', `/containers/json?filters=${filters}`)) as { Id: string }[]
  expect(await logSizeOf(found?.Id ?? '')).toBeLessThan(2_500_000)
  await strict.delete(wanted, never)
})
