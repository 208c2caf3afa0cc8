import type { Endpoint, Expose, InstanceOrder } from '../instancer.ts'
import { ProviderError } from '../../provider.ts'
import type { InstanceConfig } from './instance-config.ts'
import { hostOf } from './names.ts'
import type { Options } from './options.ts'

/** A network of an instance: declared by the challenge, or the way in to one exposed service. */
export interface PlannedNetwork {
  readonly name: string
  readonly driver: string
  readonly isInternal: boolean
  readonly options: Readonly<Record<string, string>>
  /** Names of the services on it, in the order of their addresses. */
  readonly services: readonly string[]
  /** Whether the relay, or the proxy, is on it too. */
  readonly isWayIn: boolean
}

/** A port of this host that the relay hands to a service. */
export interface Published {
  readonly hostPort: number
  readonly service: string
  readonly port: number
}

/** A host name that the reverse proxy hands to a service. */
export interface Routed {
  readonly kind: 'http' | 'https' | 'tcp-ssl'
  readonly host: string
  readonly service: string
  readonly port: number
  /** Whether the plain address leads to the encrypted one. */
  readonly redirects: boolean
}

export interface Plan {
  readonly networks: readonly PlannedNetwork[]
  /** In the order of expose. */
  readonly endpoints: readonly Endpoint[]
  readonly published: readonly Published[]
  readonly routed: readonly Routed[]
}

export interface PlanOptions {
  readonly id: string
  readonly publicHost: string
  readonly traefik: Options['traefik']
  /** A free port of the host, another one at each call. */
  readonly takePort: () => number
}

/** Pure but for `takePort`: who is on which network, and how each exposed port is reached. */
export function planInstance(
  config: InstanceConfig,
  expose: InstanceOrder['expose'],
  options: PlanOptions,
): Plan {
  const { id, publicHost, traefik, takePort } = options
  const endpoints: Endpoint[] = []
  const published: Published[] = []
  const routed: Routed[] = []
  for (const entry of expose) {
    const { kind, containerName: service, containerPort: port } = entry
    if (!Object.hasOwn(config.services, service))
      throw new ProviderError(`Port ${port} is exposed of ${service}, which is no service of the challenge.`)
    if (kind === 'tcp' || !traefik) {
      const hostPort = takePort()
      published.push({ hostPort, service, port })
      endpoints.push({ kind, host: publicHost, port: hostPort })
      continue
    }
    const host = hostOf(entry, id, traefik.domain)
    routed.push({ kind, host, service, port, redirects: kind === 'https' && !hasPlain(entry, expose) })
    endpoints.push({ kind, host, port: traefik.ports[kind] })
  }
  const exposed = [...new Set(expose.map(({ containerName }) => containerName))]
  return { networks: [...declared(config), ...exposed.map(wayIn)], endpoints, published, routed }
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
    isWayIn: false,
  }))
}

/** One for each service, so that a way in to one is no way to another. */
function wayIn(service: string): PlannedNetwork {
  const name = `way-in-${service}`
  return { name, driver: 'bridge', isInternal: true, options: {}, services: [service], isWayIn: true }
}
