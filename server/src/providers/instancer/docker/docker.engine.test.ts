import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FLAG_SERVICE,
  inside,
  instancerOn,
  leftovers,
  never,
  orderOf,
  reach,
  service,
  tcp,
  untilRunning,
} from '../../../../test/docker-instances.ts'
import { startEngine, TEST_IMAGE, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { Instancer, Json } from '../instancer.ts'
import { InstanceConfig } from './internal/instance-config.ts'

const instanceOf = (config: object) => InstanceConfig.parse(config) as Json

let engine: TestEngine
let instancer: Instancer

beforeAll(async () => {
  engine = await startEngine()
  instancer = await instancerOn({ url: engine.url })
})
afterAll(async () => {
  await instancer.close?.()
  await engine[Symbol.asyncDispose]()
})

test('a team reaches its own instance over TCP and finds its own flag', async () => {
  const order = orderOf('team-a')
  expect((await instancer.create(order, never)).status).toMatch(/starting|running/)
  expect(await reach(instancer, order)).toBe('flag is flag{team-a}\n')
  expect(await instancer.delete(order, never)).toEqual({ status: 'stopped', timeLeftMs: null, endpoints: [] })
  expect(await leftovers(engine)).toBe(0)
})

test('a page is reached over HTTP', async () => {
  const config = service(`sh -c 'echo "hello $FLAG" > /tmp/index.html; exec httpd -f -p 8080 -h /tmp'`, {
    environment: { FLAG: '${SVC_FLAG}' },
    tmpfs: { '/tmp': 'size=1m,noexec,nosuid,nodev' },
  })
  const order = orderOf('team-h', config, {
    expose: [{ kind: 'http', hostPrefix: 'web', containerName: 'app', containerPort: 8080 }],
  })
  await instancer.create(order, never)
  const [endpoint] = (await untilRunning(instancer, order)).endpoints
  const page = await eventually(async () => {
    const response = await fetch(`http://${endpoint?.host}:${endpoint?.port}/`)
    return response.text()
  })
  expect(page).toBe('hello flag{team-h}\n')
  await instancer.delete(order, never)
})

test('does not start an existing instance twice, and restarts a stopped one', async () => {
  const order = orderOf('team-again')
  await instancer.create(order, never)
  await expect(instancer.create(order, never)).rejects.toThrow(/already exists/)
  await instancer.delete(order, never)
  expect((await instancer.get(order, never)).status).toBe('stopped')
  expect((await instancer.delete(order, never)).status).toBe('stopped')
  await instancer.create(order, never)
  expect(await reach(instancer, order)).toContain('flag{team-again}')
  await instancer.delete(order, never)
})

test('extending counts from now, and the longest of several extensions applies', async () => {
  const order = orderOf('team-x', FLAG_SERVICE, { timeoutMs: 60_000 })
  await instancer.create(order, never)
  const extended = await instancer.extend({ ...order, timeoutMs: 900_000 }, never)
  expect(extended.timeLeftMs).toBeGreaterThan(800_000)
  await Promise.all([1, 2, 3].map((n) => instancer.extend({ ...order, timeoutMs: 1_000_000 * n }, never)))
  expect((await instancer.get(order, never)).timeLeftMs).toBeGreaterThan(2_900_000)
  await instancer.delete(order, never)
  await expect(instancer.extend(order, never)).rejects.toThrow(/no instance to extend/)
})

test('maintenance removes expired instances', async () => {
  let at = Date.now()
  const later = await instancerOn({ url: engine.url, now: () => at })
  const order = orderOf('team-old')
  await later.create(order, never)
  await untilRunning(later, order)
  at += order.timeoutMs + 1
  expect((await later.get(order, never)).status).toBe('stopping')
  expect(await later.prune?.(never)).toBe(1)
  expect((await later.get(order, never)).status).toBe('stopped')
  expect(await leftovers(engine)).toBe(0)
  await later.close?.()
})

test('a failed start reports the reason and leaves nothing behind', async () => {
  const missing = service('true', { image: 'localhost/not-there:1' })
  await expect(instancer.create(orderOf('team-f', missing), never)).rejects.toThrow(
    'The image localhost/not-there:1 could not be pulled.',
  )
  const wrong = service('/no/such/program')
  // What the runtime says is only for organisers.
  await expect(instancer.create(orderOf('team-f', wrong), never)).rejects.toMatchObject({
    message: 'The service app could not be started. Please tell the organisers.',
    cause: { message: expect.stringContaining('no such file') },
  })
  expect(instancer.exposeProblem?.(FLAG_SERVICE, [tcp(1337, 'other')])).toMatch(
    /no such service\. It has app\./,
  )
  expect(instancer.exposeProblem?.(FLAG_SERVICE, [tcp()])).toBeNull()
  const stray = orderOf('team-f', FLAG_SERVICE, { expose: [tcp(1337, 'other')] })
  await expect(instancer.create(stray, never)).rejects.toThrow(/no such service/)
  expect(await leftovers(engine)).toBe(0)
})

test('a service that exits is an error that the team sees', async () => {
  const order = orderOf('team-dead', service('sh -c "exit 3"', { restart: 'no' }))
  await instancer.create(order, never)
  await eventually(async () => expect((await instancer.get(order, never)).status).toBe('errored'))
  await instancer.delete(order, never)
})

test('a service that crashes again and again is an error with the number of restarts', async () => {
  const order = orderOf('team-loop', service('sh -c "sleep 0.2; exit 3"'), { expose: [] })
  await instancer.create(order, never)
  const restarts = () => instancer.get(order, never).then((details) => details.restarts ?? 0)
  await eventually(async () => expect(await restarts()).toBeGreaterThanOrEqual(3))
  const states = new Set<string>()
  for (let probe = 0; probe < 20; probe++) states.add((await instancer.get(order, never)).status)
  expect([...states]).toEqual(['errored'])
  expect(await instancer.list?.(never)).toMatchObject({
    instances: [{ status: 'errored', restarts: expect.any(Number) }],
  })
  await instancer.delete(order, never)
})

test('a health check decides about the state', async () => {
  const healthcheck = { test: ['CMD', 'cat', '/tmp/healthy'], interval: '1s', timeout: '1s', retries: 1 }
  const checked = { healthcheck, tmpfs: { '/tmp': 'size=1m,mode=1777' } }
  const order = orderOf('team-ill', service('sleep 1000', checked), { expose: [] })
  await instancer.create(order, never)
  await eventually(async () => expect((await instancer.get(order, never)).status).toBe('errored'))
  await inside(engine, 'team-ill', 'echo > /tmp/healthy')
  await untilRunning(instancer, order)
  await instancer.delete(order, never)
})

test('services of one instance find each other by name on networks that no other instance shares', async () => {
  const app = { image: TEST_IMAGE, user: '65534:65534', mem_limit: '16m' }
  const config = instanceOf({
    services: {
      app: { ...app, command: `sh -c 'exec nc -ll -p 1337 -e nc back 9000'`, networks: ['inner'] },
      back: { ...app, command: `sh -c 'exec nc -ll -p 9000 -e echo "from the back"'`, networks: ['inner'] },
    },
    networks: { inner: {} },
  })
  const order = orderOf('team-two', config)
  await instancer.create(order, never)
  expect(await reach(instancer, order)).toBe('from the back\n')
  await instancer.delete(order, never)
  expect(await leftovers(engine)).toBe(0)
})

test('enforces limits on processes, memory, files and privileges', async () => {
  const config = service('sleep 1000', { pids_limit: 20, mem_limit: '12m' })
  const order = orderOf('team-l', config, { expose: [] })
  await instancer.create(order, never)
  await untilRunning(instancer, order)
  const hog = await inside(
    engine,
    'team-l',
    'dd if=/dev/zero of=/dev/null bs=67108864 count=1; echo ended with $?',
  )
  expect(hog).toMatch(/ended with 137/)
  expect(await inside(engine, 'team-l', 'echo x > /file; id -u')).toMatch(/Read-only file system\n65534/)
  const rights = await inside(engine, 'team-l', 'cat /proc/self/status')
  expect(rights).toMatch(/CapEff:\s+0000000000000000/)
  expect(rights).toMatch(/NoNewPrivs:\s+1/)
  // Last: the instances it leaves running use up all capacity.
  const bomb = await inside(
    engine,
    'team-l',
    'i=0; while [ $i -lt 40 ]; do sleep 5 & i=$((i+1)); done; echo $i',
  )
  expect(bomb).toMatch(/can't fork/)
  await instancer.delete(order, never)
})

test('reconnects after a restart of the engine', async () => {
  const order = orderOf('team-r')
  await instancer.create(order, never)
  await reach(instancer, order)
  await engine.restart()
  expect(await reach(instancer, order)).toContain('flag{team-r}')
  expect(await instancer.list?.(never)).toMatchObject({
    instances: [{ teamId: 'team-r', status: 'running', host: 'here' }],
  })
  await instancer.delete(order, never)
  expect(await leftovers(engine)).toBe(0)
})

test('reports an unreachable engine', async () => {
  const away = await instancerOn({ url: 'unix:///nonexistent/engine.sock' })
  await expect(away.get(orderOf('team-q'), never)).rejects.toThrow('The container engine cannot be reached.')
  await away.close?.()
})

test('the reverse proxy is connected to the entry network of the services it serves, and disconnected afterwards', async () => {
  const { Id: proxy } = (await engine.call('POST', '/containers/create?name=proxy', {
    Image: TEST_IMAGE,
    Cmd: ['sleep', '1000'],
    HostConfig: {
      Ulimits: [
        { Name: 'nproc', Soft: 1024, Hard: 1024 },
        { Name: 'nofile', Soft: 1024, Hard: 1024 },
      ],
    },
  })) as { Id: string }
  await engine.call('POST', `/containers/${proxy}/start`)
  const more = { traefik: { domain: 'play.example.org', container: 'proxy' } }
  const proxied = await instancerOn({ url: engine.url, manager: 'proxied', more })
  const order = orderOf('team-p', FLAG_SERVICE, {
    expose: [{ kind: 'http', hostPrefix: 'web', containerName: 'app', containerPort: 1337 }],
  })
  await proxied.create(order, never)
  const { endpoints } = await untilRunning(proxied, order)
  expect(endpoints).toEqual([
    { kind: 'http', host: expect.stringMatching(/^web-[a-z2-7]{20}\.play\.example\.org$/), port: 80 },
  ])
  const [, address = ''] = /inet (10\.219\.\d+\.\d+)/.exec(await inside(engine, 'team-p', 'ip -4 addr')) ?? []
  await eventually(async () =>
    expect(await engine.exec(proxy, `nc -w 2 ${address} 1337 </dev/null`)).toBe('flag is flag{team-p}\n'),
  )
  // An instance keeps its host name when the key changes; a new start gets another one.
  const rekeyed = await instancerOn({ url: engine.url, manager: 'proxied', more, key: Buffer.alloc(32) })
  expect((await rekeyed.get(order, never)).endpoints).toEqual(endpoints)
  await proxied.delete(order, never)
  expect((await proxied.create(order, never)).endpoints[0]?.host).not.toBe(endpoints[0]?.host)
  await proxied.delete(order, never)
  expect(await leftovers(engine, 'proxied')).toBe(0)
  expect(await engine.exec(proxy, 'ip -4 addr')).not.toContain('10.219.')
  await Promise.all([proxied.close?.(), rekeyed.close?.()])
})

test('a configuration that was saved before it became invalid is reported before a start', async () => {
  const shared = { services: { app: { image: TEST_IMAGE, network_mode: 'bridge' } } }
  await expect(instancer.prepare?.([shared], never)).rejects.toThrow('services.app.network_mode')
})

test('images are pulled, and failures reported, before the first start', async () => {
  await instancer.prepare?.([FLAG_SERVICE], never)
  await expect(
    instancer.prepare?.([service('true', { image: 'localhost/nowhere:2' })], never),
  ).rejects.toThrow(/localhost\/nowhere:2 could not be pulled/)
})
