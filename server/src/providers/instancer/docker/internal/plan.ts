import type { Endpoint, Expose, InstanceOrder } from '../../instancer.ts'
import { ProviderError } from '../../../provider.ts'
import { unknownService, type InstanceConfig } from './instance-config.ts'
import { hostLabelOf } from '../../host-names.ts'
import type { Options } from './options.ts'

/** A network of an instance: declared by the challenge, or the ingress network of one exposed service. */
export interface PlannedNetwork {
  readonly name: string
  readonly driver: string
  readonly isInternal: boolean
  readonly options: Readonly<Record<string, string>>
  /** Names of the services on it, in the order of their addresses. */
  readonly services: readonly string[]
  /** Whether the relay, or the proxy, is on it too. */
  readonly isEntry: boolean
}

/** A port of this host that the relay forwards to a service. */
export interface Published {
  readonly hostPort: number
  readonly service: string
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
}

/** A host name that the reverse proxy routes to a service. */
export interface Routed {
  readonly kind: 'http' | 'https' | 'tcp-ssl'
  readonly host: string
  readonly service: string
  readonly port: number
  /** Whether HTTP redirects to HTTPS. */
  readonly redirects: boolean
}

export interface Plan {
  readonly networks: readonly PlannedNetwork[]
  /** In the order of `expose`. */
  readonly endpoints: readonly Endpoint[]
  readonly published: readonly Published[]
  readonly routed: readonly Routed[]
}

export interface PlanOptions {
  /** Identifies this start in the host names that the reverse proxy serves. */
  readonly hostId: string
  readonly publicHost: string
  readonly traefik: Options['traefik']
  /** Returns another free port of the host on each call. */
  readonly takePort: () => number
}

/** Pure except for `takePort`: plans the networks of each service and the endpoint of each exposed port. */
export function planInstance(
  config: InstanceConfig,
  expose: InstanceOrder['expose'],
  options: PlanOptions,
): Plan {
  const { hostId, publicHost, traefik, takePort } = options
  const endpoints: Endpoint[] = []
  const published: Published[] = []
  const routed: Routed[] = []
  const problem = unknownService(config.services, expose)
  if (problem !== null) throw new ProviderError(problem)
  for (const entry of expose) {
    const { kind, hostPrefix, containerName: service, containerPort: port } = entry
    if (kind === 'tcp' || kind === 'udp' || !traefik) {
      const hostPort = takePort()
      published.push({ hostPort, service, port, protocol: kind === 'udp' ? 'udp' : 'tcp' })
      endpoints.push({ kind, host: publicHost, port: hostPort })
      continue
    }
    const host = `${hostLabelOf(hostPrefix, hostId)}.${traefik.domain}`
    routed.push({ kind, host, service, port, redirects: kind === 'https' && !hasPlain(entry, expose) })
    endpoints.push({ kind, host, port: traefik.ports[kind] })
  }
  const exposed = [...new Set(expose.map(({ containerName }) => containerName))]
  return { networks: [...declared(config), ...exposed.map(entryNetwork)], endpoints, published, routed }
}

function hasPlain({ hostPrefix }: Expose, expose: readonly Expose[]): boolean {
  return expose.some((other) => other.kind === 'http' && other.hostPrefix === hostPrefix)
}

function declared({ services, networks }: InstanceConfig): PlannedNetwork[] {
  return Object.entries(networks).map(([name, { driver, internal, driver_opts }]) => ({
    name,
    driver,
    isInternal: internal,
    options: driver_opts,
    services: Object.keys(services).filter((service) => services[service]?.networks.includes(name)),
    isEntry: false,
  }))
}

/**
 * A separate network per service, so that access to one does not give access to another. No network of a
 * configuration can have the same name, because names of a configuration do not start with an underscore.
 */
function entryNetwork(service: string): PlannedNetwork {
  const name = `_entry-${service}`
  return { name, driver: 'bridge', isInternal: true, options: {}, services: [service], isEntry: true }
}
