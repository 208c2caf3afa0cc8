import type { InstanceOrder } from '../instancer.ts'
import type { Container, Pod } from './config.ts'
import { LABEL } from './names.ts'
import type { KubernetesOptions } from './options.ts'

export const FLAGS_SECRET = 'pennant-instance'
const PULL_SECRET = 'pennant-registries'
const VARIABLES = ['SVC_FLAG', 'SVC_FLAGS', 'SVC_EXPOSED_HOSTNAMES']

/** Long enough to pull a large image over a slow line. */
const START_LIMIT_SECONDS = 600

/** A pod without ports gets no service: the cluster refuses one without ports. */
export function serviceOf({ name, ports }: Pod): object[] {
  if (ports.length === 0) return []
  const spec = {
    selector: { [LABEL.pod]: name },
    ports: ports.map((port) => ({ name: `p${port.port}-${port.protocol.toLowerCase()}`, ...port })),
  }
  return [{ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }]
}

export function secretOf({ flags }: InstanceOrder, hostnames: readonly object[]): object {
  const texts = flags.map(({ flag }) => flag)
  const stringData = {
    SVC_FLAG: texts[0] ?? '',
    SVC_FLAGS: JSON.stringify(texts),
    SVC_EXPOSED_HOSTNAMES: JSON.stringify(hostnames),
  }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: FLAGS_SECRET }, type: 'Opaque', stringData }
}

/** Containers cannot read it: the token that would let them is not theirs. */
export function pullSecretOf({ registries }: KubernetesOptions): object[] {
  if (registries.length === 0) return []
  const auths = Object.fromEntries(
    registries.map(({ server, username, password }) => [
      server,
      { username, password, auth: Buffer.from(`${username}:${password}`).toString('base64') },
    ]),
  )
  const metadata = { name: PULL_SECRET }
  const stringData = { '.dockerconfigjson': JSON.stringify({ auths }) }
  return [{ apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/dockerconfigjson', stringData }]
}

export interface HostAlias {
  readonly ip: string
  readonly hostnames: readonly string[]
}

export function deploymentOf(
  options: KubernetesOptions,
  pod: Pod,
  hostAliases: readonly HostAlias[],
): object {
  const own = { [LABEL.pod]: pod.name }
  const mine = { [LABEL.deployment]: options.deployment }
  const labels = { ...pod.labels, ...own, ...mine, [LABEL.egress]: String(pod.egress) }
  // An autoscaler that empties a node would end the instance of a team in the middle of its work.
  const annotations = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' }
  const template = { metadata: { labels, annotations }, spec: podSpecOf(options, pod, hostAliases) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: pod.name, labels: mine },
    spec: {
      replicas: 1,
      progressDeadlineSeconds: START_LIMIT_SECONDS,
      selector: { matchLabels: own },
      // Two of the same pod at once would share one port and double the quota.
      strategy: { type: 'Recreate' },
      template,
    },
  }
}

/**
 * What the author wrote wins, but for what guards the cluster: the token of the service account, and the nodes and
 * runtime that the operator chose.
 */
function podSpecOf(options: KubernetesOptions, { spec }: Pod, hostAliases: readonly HostAlias[]): object {
  const security = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
  const pull = options.registries.length > 0 ? [{ name: PULL_SECRET }] : []
  return {
    enableServiceLinks: false,
    dnsPolicy: 'None',
    dnsConfig: { nameservers: options.dns },
    ...spec,
    ...(options.runtimeClass && { runtimeClassName: options.runtimeClass }),
    hostAliases: [...hostAliases, ...(spec.hostAliases ?? [])],
    imagePullSecrets: [...pull, ...(spec.imagePullSecrets ?? [])],
    nodeSelector: { ...spec.nodeSelector, ...options.nodeSelector },
    automountServiceAccountToken: false,
    securityContext: { ...security, ...spec.securityContext },
    containers: spec.containers.map(containerOf),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(containerOf) }),
  }
}

function containerOf({ env = [], securityContext, ...rest }: Container): object {
  const given = new Set(env.map(({ name }) => name))
  const secrets = VARIABLES.filter((name) => !given.has(name)).map((name) => ({
    name,
    valueFrom: { secretKeyRef: { name: FLAGS_SECRET, key: name } },
  }))
  return {
    ...rest,
    // Ours stand first, since a variable can name only those before it.
    env: [...secrets, ...env],
    securityContext: {
      allowPrivilegeEscalation: false,
      ...securityContext,
      capabilities: { drop: ['ALL'], ...securityContext?.capabilities },
    },
  }
}
