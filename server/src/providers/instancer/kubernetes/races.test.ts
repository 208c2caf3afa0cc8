import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../../../../test/clock.ts'
import { kubernetesOn, orderOf } from '../../../../test/kubernetes-instances.ts'
import { startFakeKubernetes, type FakeKubernetes } from '../../../../test/fake-kubernetes/server.ts'

const { signal } = new AbortController()
const order = orderOf()
/** More requests than the start of two pods takes. */
const MANY = 40

let cluster: FakeKubernetes
beforeEach(async () => {
  cluster = await startFakeKubernetes()
})
afterEach(() => cluster[Symbol.asyncDispose]())

const namesOf = () => [...cluster.store.objects.keys()].toSorted()

test('twenty concurrent starts from two processes create one instance', async () => {
  const [one, two] = [await kubernetesOn(cluster), await kubernetesOn(cluster)]
  const starts = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).create(order, signal))
  const states = new Set((await Promise.all(starts)).map((details) => JSON.stringify(details.endpoints)))
  expect(states.size).toBe(1)
  expect(cluster.all('Namespace')).toHaveLength(1)
  expect(cluster.all('Deployment')).toHaveLength(2)
  expect(cluster.all('Service')).toHaveLength(2)
})

test('a start that died after any request is completed by the next one', async () => {
  const instancer = await kubernetesOn(cluster)
  await instancer.create(order, signal)
  const whole = namesOf()
  const requests = cluster.asked.length
  expect(requests).toBeLessThan(MANY)
  for (let count = 1; count < requests; count++) {
    cluster.store.objects.clear()
    cluster.remaining = count
    await expect(instancer.create(order, signal)).rejects.toThrow('cannot be reached')
    cluster.remaining = Infinity
    expect(await instancer.create(order, signal)).toMatchObject({ status: 'starting' })
    expect(namesOf()).toEqual(whole)
  }
})

test('a start that died before its end is pruned if no one completes it', async () => {
  const clock = createClock(1_000_000)
  const instancer = await kubernetesOn({ url: cluster.url, now: () => clock.now() })
  for (let count = 1; count < MANY; count++) {
    cluster.store.objects.clear()
    cluster.remaining = count
    const isDone = await instancer.create(order, signal).then(
      () => true,
      () => false,
    )
    cluster.remaining = Infinity
    if (isDone) return
    const isMarked = cluster
      .all('Namespace')
      .some(({ metadata }) => 'pennant/complete' in (metadata.annotations ?? {}))
    expect(await instancer.prune?.(signal)).toBe(0)
    clock.advance(120_000)
    expect(await instancer.prune?.(signal)).toBe(isMarked ? 0 : 1)
  }
  expect.unreachable('no start came to its end')
})

test('an extension retries on conflicts and eventually gives up', async () => {
  const instancer = await kubernetesOn(cluster)
  await instancer.create(order, signal)
  let conflicts = 2
  cluster.meanwhile = ({ method, url }) => {
    if (method === 'PATCH' && conflicts-- > 0) cluster.store.patch(new URL(url, cluster.url).pathname, {})
  }
  const { timeLeftMs } = await instancer.extend({ ...order, timeoutMs: 3_000_000 }, signal)
  expect(timeLeftMs).toBeGreaterThan(600_000)
  conflicts = Infinity
  await expect(instancer.extend(order, signal)).rejects.toThrow('could not be extended')
})
