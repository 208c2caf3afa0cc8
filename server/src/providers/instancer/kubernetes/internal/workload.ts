import type { InstanceOrder } from '../../instancer.ts'
import { teamValues, type ExposedHostname } from '../../team-values.ts'
import type { Container, Pod } from './config.ts'
import { FLAGS_SECRET, LABEL } from './names.ts'
import { DEFAULT_LIMITS, type KubernetesOptions } from './options.ts'

const PULL_SECRET = 'pennant-registries'
/**
 * Environment variables of every container, with and without the prefix that challenges written for rCTF
 * expect.
 */
const VARIABLES = ['FLAG', 'FLAGS', 'EXPOSED_HOSTNAMES'].flatMap((name) => [
  { name: `SVC_${name}`, key: `SVC_${name}` },
  { name: `RCTF_${name}`, key: `SVC_${name}` },
])

/** Long enough to pull a large image over a slow connection. */
const START_LIMIT_SECONDS = 600

/** A pod without ports gets no service, because the cluster requires at least one port. */
export function serviceOf({ name, ports }: Pod): object[] {
  if (ports.length === 0) return []
  const spec = {
    selector: { [LABEL.pod]: name },
    ports: ports.map((port) => ({ name: `p${port.port}-${port.protocol.toLowerCase()}`, ...port })),
  }
  return [{ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }]
}

export function secretOf({ flags }: InstanceOrder, hostnames: readonly ExposedHostname[]): object {
  const stringData = teamValues(flags, hostnames)
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: FLAGS_SECRET }, type: 'Opaque', stringData }
}

/** Containers cannot read it, because they have no service account token. */
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
  // An autoscaler that drains a node would end a team's running instance.
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
      // Two replicas of the pod at once would share one port and double the quota.
      strategy: { type: 'Recreate' },
      template,
    },
  }
}

/**
 * The author's fields take precedence, except those that protect the cluster: the service account token, and
 * the nodes and runtime that the operator chose.
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
    ...(spec.volumes && { volumes: spec.volumes.map((volume) => volumeOf(options, volume)) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(containerOf) }),
  }
}

type Volume = NonNullable<Pod['spec']['volumes']>[number]

/** An in-memory emptyDir without a limit may use all memory of the node. */
function volumeOf(options: KubernetesOptions, volume: Volume): object {
  if (!volume.emptyDir) return volume
  const sizeLimit = { ...DEFAULT_LIMITS, ...options.defaultLimits }['ephemeral-storage']
  return { ...volume, emptyDir: { sizeLimit, ...volume.emptyDir } }
}

function containerOf({ env = [], securityContext, ...rest }: Container): object {
  const given = new Set(env.map(({ name }) => name))
  const secrets = VARIABLES.filter(({ name, key }) => !given.has(name) && !given.has(key)).map(
    ({ name, key }) => ({
      name,
      valueFrom: { secretKeyRef: { name: FLAGS_SECRET, key } },
    }),
  )
  return {
    ...rest,
    // Ours first, since a variable can only reference earlier ones.
    env: [...secrets, ...env],
    securityContext: {
      allowPrivilegeEscalation: false,
      ...securityContext,
      capabilities: { drop: ['ALL'], ...securityContext?.capabilities },
    },
  }
}
