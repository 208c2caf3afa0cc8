import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../../../test/clock.ts'
import { exposes, kubernetesOn, orderOf } from '../../../../test/kubernetes-instances.ts'
import { startFakeKubernetes, type FakeKubernetes } from '../../../../test/fake-kubernetes/server.ts'
import type { Instancer } from '../instancer.ts'
import { Config, example } from './internal/config.ts'

const { signal } = new AbortController()
const clock = createClock(1_000_000)
const now = () => clock.now()
const order = orderOf()
const STOPPED = { status: 'stopped', timeLeftMs: null, endpoints: [] }

let cluster: FakeKubernetes
let instancer: Instancer
beforeEach(async () => {
  cluster = await startFakeKubernetes()
  instancer = await kubernetesOn({ url: cluster.url, now })
})
afterEach(() => cluster[Symbol.asyncDispose]())

const status = async () => (await instancer.get(order, signal)).status

test('an instance starts, runs, is extended, stops, and can be started again', async () => {
  expect(await instancer.get(order, signal)).toEqual(STOPPED)
  const started = await instancer.create(order, signal)
  expect(started).toMatchObject({ status: 'starting', timeLeftMs: 600_000 })
  cluster.settle()
  expect(await instancer.get(order, signal)).toEqual({ ...started, status: 'running' })
  clock.advance(5_000)
  expect(await instancer.extend({ ...order, timeoutMs: 9_000 }, signal)).toMatchObject({ timeLeftMs: 9_000 })
  expect(await instancer.delete(order, signal)).toMatchObject({ status: 'stopping' })
  expect(await status()).toBe('stopping')
  await expect(instancer.create(order, signal)).rejects.toThrow('still stopping')
  cluster.store.finishRemovals()
  expect(await instancer.get(order, signal)).toEqual(STOPPED)
  expect(await instancer.delete(order, signal)).toEqual(STOPPED)
  expect(await instancer.extend(order, signal)).toEqual(STOPPED)
  expect(await instancer.create(order, signal)).toMatchObject({ status: 'starting' })
})

test('returns endpoints in the order of the exposed ports, and marks unsupported kinds', async () => {
  const { endpoints } = await instancer.create(order, signal)
  expect(endpoints.map(({ kind }) => kind)).toEqual(exposes.map(({ kind }) => kind))
  expect(endpoints[0]).toMatchObject({
    host: expect.stringMatching(/^front-[a-z2-7]{20}\.play\.test$/),
    port: 80,
  })
  expect(endpoints[1]).toEqual({ kind: 'https', host: endpoints[0]?.host, port: 443 })
  expect(endpoints[2]).toEqual({ kind: 'tcp', host: 'nodes.test', port: 30_000 })
  expect(endpoints[3]).toEqual({ kind: 'tcp-ssl', host: 'unsupported-by-instancer', port: 0 })
  expect(cluster.all('Ingress')).toHaveLength(1)
})

test('each start has its own host names, which are the same in all processes and the proxy', async () => {
  const hosts: (string | undefined)[] = []
  for (let start = 0; start < 2; start++) {
    const [first, second] = (await instancer.create(order, signal)).endpoints
    expect(second?.host).toBe(first?.host)
    expect(cluster.all('Ingress')[0]?.spec).toMatchObject({ rules: [{ host: first?.host }] })
    const other = await kubernetesOn({ url: cluster.url, now })
    expect((await other.get(order, signal)).endpoints[0]).toEqual(first)
    expect((await other.create(order, signal)).endpoints[0]).toEqual(first)
    hosts.push(first?.host)
    await instancer.delete(order, signal)
    cluster.store.finishRemovals()
  }
  expect(new Set(hosts).size).toBe(2)
})

test('an instance started by an earlier release keeps its host name until it ends', async () => {
  await instancer.create(order, signal)
  const [namespace] = cluster.all('Namespace')
  delete namespace?.metadata.annotations?.['pennant/host-id']
  const id = namespace?.metadata.name.slice(-20).slice(0, 12)
  const { endpoints } = await instancer.extend(order, signal)
  expect(endpoints[0]?.host).toBe(`front-${id}.play.test`)
})

test('a second start returns the state of the existing instance', async () => {
  await instancer.create(order, signal)
  cluster.settle()
  expect(await instancer.create(order, signal)).toMatchObject({ status: 'running' })
  expect(cluster.all('Namespace')).toHaveLength(1)
})

test.each(['CrashLoopBackOff', 'ImagePullBackOff', 'CreateContainerConfigError'])(
  'a pod that waits because of %s has failed',
  async (reason) => {
    await instancer.create(order, signal)
    cluster.settle(reason)
    expect(await status()).toBe('errored')
    cluster.settle()
    expect(await status()).toBe('running')
  },
)

test('a pod whose container is being created is starting', async () => {
  await instancer.create(order, signal)
  cluster.settle('ContainerCreating')
  expect(await status()).toBe('starting')
})

test('an instance without one of its deployments has failed', async () => {
  await instancer.create(order, signal)
  cluster.settle()
  const [path] = [...cluster.store.objects].find(([, { kind }]) => kind === 'Deployment') ?? ['']
  cluster.store.objects.delete(path)
  expect(await status()).toBe('errored')
})

test('an expired instance is stopping, and the pruner removes only that', async () => {
  await instancer.create(order, signal)
  clock.advance(300_000)
  await instancer.create(orderOf('team-2'), signal)
  clock.advance(300_000)
  expect(await instancer.get(order, signal)).toEqual({ ...STOPPED, status: 'stopping' })
  await expect(instancer.create(order, signal)).rejects.toThrow('still stopping')
  expect(await instancer.prune?.(signal)).toBe(1)
  expect(await instancer.prune?.(signal)).toBe(0)
  cluster.store.finishRemovals()
  expect(await instancer.list?.(signal)).toEqual({
    instances: [
      { teamId: 'team-2', integrationId: 'chall', status: 'starting', timeLeftMs: 300_000, host: null },
    ],
    unreachable: [],
  })
})

test('the pruner keeps an instance that was extended since it looked', async () => {
  await instancer.create(order, signal)
  clock.advance(600_000)
  cluster.meanwhile = ({ method }) => {
    const [path] = [...cluster.store.objects].find(([, { kind }]) => kind === 'Namespace') ?? ['']
    if (method === 'DELETE') cluster.store.patch(path, {})
  }
  expect(await instancer.prune?.(signal)).toBe(0)
})

test('two deployments in one cluster do not affect each other', async () => {
  const other = await kubernetesOn({ url: cluster.url, now, more: { deployment: 'other' } })
  await instancer.create(order, signal)
  expect(await other.get(order, signal)).toEqual(STOPPED)
  expect(await other.list?.(signal)).toEqual({ instances: [], unreachable: [] })
  expect(await other.delete(order, signal)).toEqual(STOPPED)
  clock.advance(600_000)
  expect(await other.prune?.(signal)).toBe(0)
  expect(await instancer.prune?.(signal)).toBe(1)
})

test('reads all pages of a list', async () => {
  await instancer.create(order, signal)
  const [model] = cluster.all('Namespace')
  if (!model) throw new Error('no namespace')
  for (let i = 0; i < 1_200; i++) {
    const name = `copy-${i}`
    cluster.store.save(`/api/v1/namespaces/${name}`, { ...model, metadata: { ...model.metadata, name } })
  }
  expect(await instancer.capacity?.(signal)).toEqual([
    { host: 'kubernetes', used: 1_201, max: 500, isUp: true },
  ])
})

test.each([
  ['forbidden', 'denied the request of this server: namespaces is forbidden'],
  ['failing', 'reported an internal error'],
  ['nonsense', 'an unusable response'],
  ['silent', 'did not respond in time'],
] as const)('a cluster that is %s fails with a plain message', async (mood, message) => {
  cluster.mood = mood
  await expect(instancer.get(order, AbortSignal.timeout(300))).rejects.toThrow(message)
})

test('a wrong token and an unreachable cluster have distinct messages', async () => {
  const stranger = await kubernetesOn({ url: cluster.url, more: { token: 'x' } })
  await expect(stranger.get(order, signal)).rejects.toThrow('token is wrong or has expired')
  const away = await kubernetesOn({ url: 'http://127.0.0.1:1' })
  await expect(away.get(order, signal)).rejects.toThrow('cannot be reached')
  expect(await away.capacity?.(signal)).toMatchObject([{ isUp: false }])
})

test('refuses to expose what no pod provides, and creates nothing', async () => {
  const bad = (containerName: string, containerPort: number) => ({
    ...order,
    expose: [{ kind: 'http' as const, hostPrefix: 'a', containerName, containerPort }],
  })
  await expect(instancer.create(bad('nobody', 80), signal)).rejects.toThrow('exposes nobody, but has no pod')
  await expect(instancer.create(bad('web', 81), signal)).rejects.toThrow('no TCP port 81')
  expect(cluster.asked).toHaveLength(0)
})

test('a pod that the cluster refuses leaves nothing behind', async () => {
  const spec = { containers: [{ name: 'main', image: 'a', misspelt: true }] }
  const refused = { ...orderOf('team-1', [{ name: 'web', spec }]), expose: [] }
  const privileged = await kubernetesOn({ url: cluster.url, now, more: { allowPrivileged: true } })
  await expect(privileged.create(refused, signal)).rejects.toThrow(
    'unknown field "spec.template.spec.containers.0.misspelt"',
  )
  cluster.store.finishRemovals()
  expect([...cluster.store.objects]).toEqual([])
})

test('the example fills in its form, and pods must have different names', () => {
  expect(Config.parse(example)).toEqual(example)
  const [pod] = example.pods
  expect(Config.safeParse({ pods: [pod, pod] }).success).toBe(false)
})
