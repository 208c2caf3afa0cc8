import { shellWords } from './shell-words.ts'
import type { ServiceConfig } from './service-config.ts'
import { bytesOf, nanosecondsOf } from './sizes.ts'
import type { Labels } from './engine-calls.ts'
import type { Published } from './plan.ts'

// What the engine is told to make, by Docker's API.

/**
 * Some engines give every container a limit above the host's own, which the kernel then refuses. It counts all
 * processes of a user on the host: the limit that matters is that of the container, `pids_limit`.
 */
const NPROC = { soft: 16_384, hard: 16_384 }

/** Forks for each connection. */
const RELAY_PIDS = 512
const RELAY_MEMORY_BYTES = 64 * 1024 * 1024
/** The relay listens from here on, inside. */
const RELAY_FIRST_PORT = 10_000
const NOBODY = '65534:65534'

const FIRM = {
  ReadonlyRootfs: true,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges'],
} as const

export interface Place {
  readonly network: string
  readonly address: string | null
  readonly alias: string
}

export interface ServiceOrder {
  readonly name: string
  readonly service: ServiceConfig
  readonly labels: Labels
  readonly environment: Readonly<Record<string, string>>
  /** The first network; others are connected before the start. Null: none. */
  readonly place: Place | null
  /** Other services by name, as `name:address`. */
  readonly hosts: readonly string[]
  /** Names of the engine's volumes by those of the challenge. */
  readonly volumes: Readonly<Record<string, string>>
}

export function serviceBody({ name, service, labels, environment, place, hosts, volumes }: ServiceOrder) {
  const { healthcheck, command, entrypoint } = service
  return {
    Image: service.image,
    Hostname: service.hostname ?? name,
    Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    Labels: { ...service.labels, ...labels },
    ...(command === null ? {} : { Cmd: shellWords(command) }),
    ...(entrypoint === null ? {} : { Entrypoint: shellWords(entrypoint) }),
    ...(service.working_dir === null ? {} : { WorkingDir: service.working_dir }),
    ...(service.user === null ? {} : { User: service.user }),
    ExposedPorts: Object.fromEntries(
      service.expose.map((port) => [port.includes('/') ? port : `${port}/tcp`, {}]),
    ),
    ...(healthcheck === null
      ? {}
      : {
          Healthcheck: {
            Test: healthcheck.test,
            Interval: nanosecondsOf(healthcheck.interval),
            Timeout: nanosecondsOf(healthcheck.timeout),
            Retries: healthcheck.retries,
            StartPeriod: nanosecondsOf(healthcheck.start_period),
          },
        }),
    HostConfig: hostConfig(service, { place, hosts, volumes }),
    ...networking(place),
  }
}

function hostConfig(
  service: ServiceConfig,
  { place, hosts, volumes }: Pick<ServiceOrder, 'place' | 'hosts' | 'volumes'>,
) {
  const memory = bytesOf(service.mem_limit)
  const ulimits = { nproc: NPROC, ...service.ulimits }
  return {
    NetworkMode: place?.network ?? service.network_mode ?? 'none',
    Dns: service.dns,
    DnsOptions: service.dns_opt,
    DnsSearch: service.dns_search,
    ExtraHosts: [...hosts, ...service.extra_hosts],
    Binds: service.volumes.map((mount) => mount.replace(/^[^:]+/, (volume) => volumes[volume] ?? volume)),
    Tmpfs: service.tmpfs,
    ...(service.shm_size === null ? {} : { ShmSize: bytesOf(service.shm_size) }),
    ReadonlyRootfs: service.read_only,
    Privileged: service.privileged,
    SecurityOpt: service.security_opt,
    CapAdd: service.cap_add,
    CapDrop: service.cap_drop,
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(service.cpus * 1e9),
    PidsLimit: service.pids_limit,
    Ulimits: Object.entries(ulimits).map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard })),
    Sysctls: service.sysctls,
    RestartPolicy: { Name: service.restart },
    LogConfig: LOGS,
  }
}

/** What a service prints is kept, but cannot fill the disk. */
const LOGS = { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } }

function networking(place: Place | null) {
  if (!place) return {}
  const { network, address, alias } = place
  const endpoint = { Aliases: [alias], ...(address === null ? {} : { IPAMConfig: { IPv4Address: address } }) }
  return { NetworkingConfig: { EndpointsConfig: { [network]: endpoint } } }
}

/** A container that never runs: its name and labels are what it is for. */
export function noteBody(image: string, labels: Labels) {
  return { Image: image, Cmd: ['true'], Labels: labels, HostConfig: { NetworkMode: 'none', ...FIRM } }
}

export interface RelayOrder {
  readonly image: string
  readonly labels: Labels
  /** Reaches the outside. */
  readonly network: string
  /** With the address of each service. */
  readonly published: readonly (Published & { readonly address: string })[]
}

/** Hands ports of the host to services whose networks have no way out. */
export function relayBody({ image, labels, network, published }: RelayOrder) {
  const inside = published.map((entry, at) => ({ ...entry, inner: RELAY_FIRST_PORT + at }))
  const listeners = inside.map(({ inner, address, port }) => `nc -ll -p ${inner} -e nc ${address} ${port} &`)
  return {
    Image: image,
    Entrypoint: ['sh', '-c', `${listeners.join(' ')} wait`],
    User: NOBODY,
    Labels: labels,
    ExposedPorts: Object.fromEntries(inside.map(({ inner }) => [`${inner}/tcp`, {}])),
    HostConfig: {
      ...FIRM,
      NetworkMode: network,
      Init: false,
      PortBindings: Object.fromEntries(
        inside.map(({ inner, hostPort }) => [`${inner}/tcp`, [{ HostPort: String(hostPort) }]]),
      ),
      Memory: RELAY_MEMORY_BYTES,
      MemorySwap: RELAY_MEMORY_BYTES,
      PidsLimit: RELAY_PIDS,
      Ulimits: [
        { Name: 'nproc', Soft: NPROC.soft, Hard: NPROC.hard },
        { Name: 'nofile', Soft: 1024, Hard: 1024 },
      ],
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: LOGS,
    },
    ...networking({ network, address: null, alias: 'relay' }),
  }
}
