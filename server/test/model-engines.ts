import { dockerInstancer } from '../src/providers/instancer/docker/docker.ts'
import { httpInstancer } from '../src/providers/instancer/http.ts'
import type { InstanceOrder, Instancer } from '../src/providers/instancer/instancer.ts'
import { memoryInstancer } from '../src/providers/instancer/memory.ts'
import { service, tcp } from './docker-instances.ts'
import { startGateway, type Link } from './faulty-link.ts'
import { kubernetesOn, orderOf as kubernetesOrderOf } from './kubernetes-instances.ts'
import { recordLog } from './log.ts'
import { startFakeDocker } from './fake-docker.ts'
import { instancerToken, startFakeInstancer } from './fake-instancer.ts'
import { startFakeKubernetes } from './fake-kubernetes/server.ts'

// Every instancer with an in-memory engine that runs on the test's clock.

export interface ModelEngine extends AsyncDisposable {
  /** Creates the provider as one server process would. All its requests to the engine pass the link. */
  connect(link: Link): Promise<Instancer>
  /** The engine's instances: one `team/challenge` each, including those that are being removed. */
  held(): Promise<readonly string[]>
  /** Number of the engine's objects that belong to no instance. */
  leftovers(): number
  /** Simulates what the engine does on its own over time. */
  settle(): void
  /** Delays the next removal of a part of an instance, for engines whose instances have parts. */
  delayRemoval(): void
  readonly config: InstanceOrder['config']
  readonly expose: InstanceOrder['expose']
}

type Now = () => number

export const modelEngines: Readonly<Record<string, (now: Now) => Promise<ModelEngine>>> = {
  'instancers/memory': memoryEngine,
  'instancers/http': httpEngine,
  'instancers/docker': dockerEngine,
  'instancers/kubernetes': kubernetesEngine,
}

const contextOf = (now: Now) => ({
  fetch,
  log: recordLog().log,
  now,
  dataDir: '/nonexistent',
  hostNameKey: Buffer.alloc(32),
  sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
})
const simple = { leftovers: () => 0, settle: () => {}, delayRemoval: () => {}, expose: [] }

async function memoryEngine(now: Now): Promise<ModelEngine> {
  const engine = await memoryInstancer.start(memoryInstancer.options.parse({}), contextOf(now))
  const { signal: never } = new AbortController()
  return {
    ...simple,
    config: { outcome: 'runs' },
    async connect(link) {
      const over = <T>(signal: AbortSignal, send: () => Promise<T>) =>
        link.pass({ send, isAbandoned: () => signal.aborted })
      return {
        ...engine,
        create: (order, signal) => over(signal, () => engine.create(order, signal)),
        get: (key, signal) => over(signal, () => engine.get(key, signal)),
        extend: (renewal, signal) => over(signal, () => engine.extend(renewal, signal)),
        delete: (key, signal) => over(signal, () => engine.delete(key, signal)),
        list: (signal) => over(signal, async () => engine.list!(signal)),
      }
    },
    async held() {
      const { instances } = await engine.list!(never)
      return instances.map(({ teamId, integrationId }) => `${teamId}/${integrationId}`)
    },
    async [Symbol.asyncDispose]() {
      await engine.close?.()
    },
  }
}

/** Gateways to one engine; closed together with it. */
function gatewaysTo(url: string) {
  const opened: AsyncDisposable[] = []
  return {
    async open(link: Link): Promise<string> {
      const gateway = await startGateway(url, link)
      opened.push(gateway)
      return gateway.url
    },
    closing: (instancer: Instancer): Instancer => {
      opened.push({ [Symbol.asyncDispose]: async () => void instancer.close?.() })
      return instancer
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

async function httpEngine(now: Now): Promise<ModelEngine> {
  const fake = await startFakeInstancer({ now })
  const gateways = gatewaysTo(fake.url)
  return {
    ...simple,
    config: {},
    async connect(link) {
      const options = { apiUrl: await gateways.open(link), authToken: instancerToken }
      return httpInstancer.start(httpInstancer.options.parse(options), contextOf(now))
    },
    async held() {
      fake.expire()
      return [...fake.running.keys()].map((name) => name.split('/').toReversed().join('/'))
    },
    async [Symbol.asyncDispose]() {
      await gateways.close()
      await fake[Symbol.asyncDispose]()
    },
  }
}

async function dockerEngine(now: Now): Promise<ModelEngine> {
  const fake = await startFakeDocker({ now })
  const gateways = gatewaysTo(fake.url)
  /** Owner by instance id, for every claim ever seen. */
  const owners = new Map<string, string>()
  function held(): Set<string> {
    const ids = new Set<string>()
    for (const { Labels } of fake.containers.values()) {
      const id = Labels['org.pennant.instance'] ?? ''
      const role = Labels['org.pennant.role'] ?? ''
      if (role === 'claim') {
        const facts = JSON.parse(Labels['org.pennant.facts'] ?? '{}') as InstanceOrder
        owners.set(id, `${facts.teamId}/${facts.integrationId}`)
      }
      if (['claim', 'service', 'relay'].includes(role)) ids.add(id)
    }
    return ids
  }
  return {
    settle: () => void (fake.busyRemovals = 0),
    config: service('true'),
    expose: [tcp()],
    delayRemoval: () => fake.busyRemovals++,
    async connect(link) {
      const url = (await gateways.open(link)).replace('http:', 'tcp:')
      const hosts = [{ name: 'here', url, publicHost: '127.0.0.1', maxInstances: 100, probe: false }]
      const options = dockerInstancer.options.parse({ manager: 'model', hosts, stopGrace: 0 })
      return gateways.closing(await dockerInstancer.start(options, contextOf(now)))
    },
    held: async () => [...held()].map((id) => owners.get(id) ?? id),
    leftovers() {
      const ids = held()
      const { containers, networks, volumes } = fake
      return [...containers.values(), ...networks.values(), ...volumes.values()].filter(
        ({ Labels }) => 'org.pennant.manager' in Labels && !ids.has(Labels['org.pennant.instance'] ?? ''),
      ).length
    },
    async [Symbol.asyncDispose]() {
      await gateways.close()
      await fake[Symbol.asyncDispose]()
    },
  }
}

async function kubernetesEngine(now: Now): Promise<ModelEngine> {
  const cluster = await startFakeKubernetes()
  const gateways = gatewaysTo(cluster.url)
  const pod = { name: 'web', spec: { containers: [{ name: 'main', image: 'registry.test/app:1' }] } }
  return {
    ...simple,
    config: kubernetesOrderOf('any', [pod]).config,
    settle: () => cluster.store.finishRemovals(),
    connect: async (link) => gateways.closing(await kubernetesOn({ url: await gateways.open(link), now })),
    async held() {
      return cluster.all('Namespace').map(({ metadata: { annotations = {} } }) => {
        return `${annotations['pennant/team']}/${annotations['pennant/integration']}`
      })
    },
    leftovers() {
      const namespaces = new Set(cluster.all('Namespace').map(({ metadata: { name } }) => name))
      return [...cluster.store.objects.values()].filter(
        ({ kind, metadata: { namespace = '' } }) => kind !== 'Namespace' && !namespaces.has(namespace),
      ).length
    },
    async [Symbol.asyncDispose]() {
      await gateways.close()
      await cluster[Symbol.asyncDispose]()
    },
  }
}
