import { kubernetesInstancer } from '../src/providers/instancer/kubernetes/kubernetes.ts'
import type { Expose, InstanceOrder } from '../src/providers/instancer/instancer.ts'
import { recordLog } from './log.ts'
import { clusterToken } from './fake-kubernetes/server.ts'

// Helpers shared by the tests of instances in a cluster.

const hostNameKey = Buffer.alloc(32, 'test')

interface Wish {
  readonly url: string
  readonly more?: object
  readonly now?: () => number
}

/** Creates the provider as one server process would. */
export async function kubernetesOn({ url, more = {}, now = Date.now }: Wish) {
  const options = { apiUrl: url, token: clusterToken, domain: 'play.test', tcpHost: 'nodes.test', ...more }
  const world = { fetch, log: recordLog().log, now, dataDir: '/nonexistent', hostNameKey }
  return kubernetesInstancer.start(kubernetesInstancer.options.parse(options), world)
}

const container = { name: 'main', image: 'registry.test/app:1' }

export const twoPods = [
  {
    name: 'web',
    ports: [{ port: 80, targetPort: 8080 }, { port: 9000 }],
    egress: true,
    spec: { containers: [container] },
  },
  { name: 'worker', spec: { containers: [container] } },
]

export const exposes: readonly Expose[] = [
  { kind: 'http', hostPrefix: 'front', containerName: 'web', containerPort: 80 },
  { kind: 'https', hostPrefix: 'front', containerName: 'web', containerPort: 80 },
  { kind: 'tcp', hostPrefix: 'back', containerName: 'web', containerPort: 9000 },
  { kind: 'tcp-ssl', hostPrefix: 'tls', containerName: 'web', containerPort: 9000 },
]

export function orderOf(teamId = 'team-1', pods: readonly object[] = twoPods): InstanceOrder {
  return {
    teamId,
    integrationId: 'chall',
    config: { pods },
    timeoutMs: 600_000,
    extendable: true,
    expose: exposes,
    flags: [{ provider: 'flags/static', flag: `flag{${teamId}}` }],
  }
}
