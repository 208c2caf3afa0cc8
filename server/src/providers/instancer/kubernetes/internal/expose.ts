import { ProviderError } from '../../../provider.ts'
import type { Endpoint, EndpointKind, Expose } from '../../instancer.ts'
import type { Pod } from './config.ts'
import { exposeName, hostOf, LABEL } from './names.ts'
import type { KubernetesOptions } from './options.ts'

export interface Exposed extends Expose {
  readonly pod: Pod
  readonly port: Pod['ports'][number]
}

const UNSUPPORTED = 'unsupported-by-instancer'
const PORTS = { http: 80, https: 443 } as const

/**
 * @throws ProviderError for ports that the pods do not have: they would become endpoints that never respond
 */
export function exposedOf(pods: readonly Pod[], expose: readonly Expose[]): Exposed[] {
  const wanted = expose.map((each) => {
    const { kind, containerName, containerPort } = each
    const pod = pods.find(({ name }) => name === containerName)
    const port = pod?.ports.find((own) => own.port === containerPort && own.protocol === protocolOf(kind))
    if (!pod)
      throw new ProviderError(`The challenge exposes ${containerName}, but has no pod with this name.`)
    if (!port)
      throw new ProviderError(
        `Pod ${containerName} has no ${protocolOf(kind)} port ${containerPort} to expose.`,
      )
    return { ...each, pod, port }
  })
  for (const [, [first, ...others]] of byHost(wanted))
    if (others.some((other) => other.pod !== first?.pod || other.port !== first.port))
      throw new ProviderError(`Two ports are exposed as ${first?.hostPrefix}; each needs its own prefix.`)
  return wanted
}

function protocolOf(kind: EndpointKind): 'TCP' | 'UDP' {
  return kind === 'udp' ? 'UDP' : 'TCP'
}

/** Why the ports cannot be exposed, or null. */
export function exposeProblem(pods: readonly Pod[], expose: readonly Expose[]): string | null {
  try {
    exposedOf(pods, expose)
    return null
  } catch (error) {
    if (error instanceof ProviderError) return error.message
    throw error
  }
}

export function isNodePort(kind: EndpointKind): boolean {
  return kind === 'tcp' || kind === 'udp'
}

export function isOffered(options: KubernetesOptions, kind: EndpointKind): boolean {
  return isNodePort(kind) ? options.tcpHost !== undefined : kind !== 'tcp-ssl'
}

interface Place {
  readonly options: KubernetesOptions
  readonly hostId: string
}

/**
 * Node ports are known once the cluster has assigned them; until then, and for ports that cannot be exposed,
 * the port is 0.
 */
export function endpointsOf(
  { options, hostId }: Place,
  expose: readonly Expose[],
  nodePorts: ReadonlyMap<string, number>,
): Endpoint[] {
  return expose.map((each, index) => {
    const { kind } = each
    if (kind === 'http' || kind === 'https')
      return { kind, host: hostOf(options, hostId, each), port: PORTS[kind] }
    if (isNodePort(kind) && options.tcpHost)
      return { kind, host: options.tcpHost, port: nodePorts.get(exposeName(index)) ?? 0 }
    return { kind, host: UNSUPPORTED, port: 0 }
  })
}

export function nodePortServices(options: KubernetesOptions, wanted: readonly Exposed[]): object[] {
  return wanted.flatMap(({ kind, pod, port }, index) => {
    if (!isNodePort(kind) || !isOffered(options, kind)) return []
    const { port: number, targetPort = number, protocol } = port
    const ports = [{ port: number, targetPort, protocol }]
    const spec = { type: 'NodePort', selector: { [LABEL.pod]: pod.name }, ports }
    return { apiVersion: 'v1', kind: 'Service', metadata: { name: exposeName(index) }, spec }
  })
}

/** One per host: http and https of the same prefix share a route. */
export function ingressesOf({ options, hostId }: Place, wanted: readonly Exposed[]): object[] {
  return [...byHost(wanted)].flatMap(([, [first, ...others]], index) => {
    if (!first) return []
    const host = hostOf(options, hostId, first)
    const service = { name: first.pod.name, port: { number: first.port.port } }
    const isSecure = [first, ...others].some(({ kind }) => kind === 'https')
    const spec = {
      ...(options.ingressClass && { ingressClassName: options.ingressClass }),
      // Without a secret name the proxy uses its own certificate, the wildcard of the domain.
      ...(isSecure && { tls: [{ hosts: [host] }] }),
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }],
    }
    const metadata = { name: exposeName(index) }
    return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec }
  })
}

function byHost(wanted: readonly Exposed[]): Map<string, Exposed[]> {
  const hosts = new Map<string, Exposed[]>()
  for (const each of wanted)
    if (each.kind === 'http' || each.kind === 'https')
      hosts.set(each.hostPrefix, [...(hosts.get(each.hostPrefix) ?? []), each])
  return hosts
}
