import { Config } from '../src/providers/instancer/kubernetes/config.ts'
import { kubernetesInstancer } from '../src/providers/instancer/kubernetes/kubernetes.ts'
import { KubernetesOptions } from '../src/providers/instancer/kubernetes/options.ts'
import type { Expose, InstanceOrder, Json } from '../src/providers/instancer/instancer.ts'
import { keepLog } from './log.ts'
import { clusterToken } from './stand-in-kubernetes/stand-in.ts'

// What tests of instances in a cluster share.

interface Wish {
  readonly url: string
  readonly more?: object
  readonly now?: () => number
}

/** The provider as one process of the platform has it. */
export async function kubernetesOn({ url, more = {}, now = Date.now }: Wish) {
  const options = { apiUrl: url, token: clusterToken, domain: 'play.test', tcpHost: 'nodes.test', ...more }
  const world = { fetch, log: keepLog().log, now, dataDir: '/nonexistent' }
  return kubernetesInstancer.start(KubernetesOptions.parse(options), world)
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
    config: Config.parse({ pods }) as Json,
    timeoutMs: 600_000,
    extendable: true,
    expose: exposes,
    flags: [{ provider: 'flags/static', flag: `flag{${teamId}}` }],
  }
}
