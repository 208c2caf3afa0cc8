import { once, setMaxListeners } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dockerInstancer } from '../src/providers/instancer/docker/docker.ts'
import { InstanceConfig } from '../src/providers/instancer/docker/internal/instance-config.ts'
import type {
  Expose,
  InstanceDetails,
  Instancer,
  InstanceOrder,
  Json,
} from '../src/providers/instancer/instancer.ts'
import { TEST_IMAGE, type TestEngine } from './engine.ts'
import { eventually } from './eventually.ts'
import { recordLog } from './log.ts'

// Helpers shared by the tests of container instances.

const hostNameKey = Buffer.alloc(32, 'test')

export const MANAGER_LABEL = 'org.pennant.manager'

export interface InstancerWish {
  readonly url: string
  readonly manager?: string
  readonly more?: object
  readonly now?: () => number
  readonly key?: Buffer
  /** Host under which published ports are reachable. */
  readonly publicHost?: string
}

/**
 * An address of this machine that is not loopback, as players would use. Podman 4 sometimes creates no
 * masquerade rule for connections from 127.0.0.1 to a published port; the container cannot respond to those.
 */
export const OUTWARD_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'

/** Creates the provider against a real engine, as one server process would. */
export async function instancerOn({
  url,
  manager = 'test',
  more = {},
  now = Date.now,
  key = hostNameKey,
  publicHost = OUTWARD_ADDRESS,
}: InstancerWish) {
  const options = dockerInstancer.options.parse({
    manager,
    hosts: [{ name: 'here', url, publicHost, maxInstances: 100 }],
    stopGrace: 0,
    ...more,
  })
  const world = { fetch, log: recordLog().log, now, dataDir: '/nonexistent', hostNameKey: key }
  return dockerInstancer.start(options, world)
}

/** A compose file with one service of the test image. */
export function service(command: string, more: object = {}): Json {
  const app = { image: TEST_IMAGE, command, user: '65534:65534', mem_limit: '16m', ...more }
  return InstanceConfig.parse({ services: { app } }) as Json
}

/** Sends its flag to every client that connects. */
export const FLAG_SERVICE = service(`sh -c 'exec nc -ll -p 1337 -e echo "flag is $FLAG"'`, {
  environment: { FLAG: '$SVC_FLAG' },
})

export function tcp(port = 1337, containerName = 'app'): Expose {
  return { kind: 'tcp', hostPrefix: 'app', containerName, containerPort: port }
}

export function orderOf(
  teamId: string,
  config: Json = FLAG_SERVICE,
  more: Partial<InstanceOrder> = {},
): InstanceOrder {
  return {
    teamId,
    integrationId: 'chall',
    config,
    timeoutMs: 600_000,
    extendable: true,
    expose: [tcp()],
    flags: [{ provider: 'flags/static', flag: `flag{${teamId}}` }],
    ...more,
  }
}

export const never: AbortSignal = new AbortController().signal
// Many calls in the tests share this signal.
setMaxListeners(0, never)

/**
 * Waits until the instance is running and its first endpoint responds; resolves to what that endpoint sends
 * first.
 */
export async function reach(instancer: Instancer, order: InstanceOrder): Promise<string> {
  const details = await untilRunning(instancer, order)
  const [endpoint] = details.endpoints
  if (!endpoint) throw new Error('there is no endpoint')
  return eventually(() => sayingOf(endpoint.host, endpoint.port))
}

export function untilRunning(instancer: Instancer, order: InstanceOrder): Promise<InstanceDetails> {
  return eventually(async () => {
    const details = await instancer.get(order, never)
    if (details.status !== 'running') throw new Error(`it is ${details.status}`)
    return details
  })
}

/** Reads from a port until the connection closes; rejects when nothing was sent. */
export async function sayingOf(host: string, port: number, question = ''): Promise<string> {
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.end(question)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  if (text === '') throw new Error('it said nothing')
  return text
}

/** Runs a command inside the instance's service, with the rights of the service's own processes. */
export async function inside(engine: TestEngine, teamId: string, command: string): Promise<string> {
  const label = encodeURIComponent(JSON.stringify({ label: ['org.pennant.role=service'] }))
  const containers = (await engine.call('GET', `/containers/json?filters=${label}`)) as {
    Id: string
    Labels: Record<string, string>
  }[]
  const claims = (await engine.call(
    'GET',
    `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify({ label: ['org.pennant.role=claim'] }))}`,
  )) as { Labels: Record<string, string> }[]
  const claim = claims.find(({ Labels }) => Labels['org.pennant.facts']?.includes(`"${teamId}"`))
  const id = claim?.Labels['org.pennant.instance']
  const found = containers.find(({ Labels }) => Labels['org.pennant.instance'] === id)
  if (!found) throw new Error(`no service of ${teamId}`)
  return engine.exec(found.Id, command)
}

/** Counts the engine's objects that belong to a deployment. */
export async function leftovers(engine: TestEngine, manager = 'test'): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`${MANAGER_LABEL}=${manager}`] }))
  const [containers, networks, volumes] = await Promise.all([
    engine.call('GET', `/containers/json?all=1&filters=${filters}`),
    engine.call('GET', `/networks?filters=${filters}`),
    engine.call('GET', `/volumes?filters=${filters}`),
  ])
  const { Volumes } = volumes as { Volumes: unknown[] | null }
  return (containers as unknown[]).length + (networks as unknown[]).length + (Volumes ?? []).length
}
