import { shellWords } from './shell-words.ts'
import type { ServiceConfig } from './service-config.ts'
import { bytesOf, nanosecondsOf } from './sizes.ts'
import type { Labels } from './engine-calls.ts'

// Request bodies of Docker's API.

/**
 * Some engines set a default above the host's own limit, which the kernel then refuses. RLIMIT_NPROC counts
 * all processes of a user on the host; the effective limit is the container's `pids_limit`.
 */
export const NPROC = { soft: 16_384, hard: 16_384 }

export const FIRM = {
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
  /** Other services, as `name:address`. */
  readonly hosts: readonly string[]
  /** Maps volume names of the challenge to the engine's. */
  readonly volumes: Readonly<Record<string, string>>
  /** In addition to those of the challenge. */
  readonly tmpfs: Readonly<Record<string, string>>
  /** Size of the writable root layer, unless the root is read-only. Null: no limit. */
  readonly writableBytes: number | null
}

export function serviceBody(order: ServiceOrder) {
  const { name, service, labels, environment, place } = order
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
    HostConfig: hostConfig(order),
    ...networking(place),
  }
}

function hostConfig({ service, place, hosts, volumes, tmpfs, writableBytes }: ServiceOrder) {
  const memory = bytesOf(service.mem_limit)
  const size = service.read_only ? null : writableBytes
  const ulimits = { nproc: NPROC, core: NO_CORE, ...service.ulimits, ...fileSize(size) }
  return {
    NetworkMode: place?.network ?? service.network_mode ?? 'none',
    Dns: service.dns,
    DnsOptions: service.dns_opt,
    DnsSearch: service.dns_search,
    ExtraHosts: [...hosts, ...service.extra_hosts],
    Binds: service.volumes.map((mount) => mount.replace(/^[^:]+/, (volume) => volumes[volume] ?? volume)),
    Tmpfs: { ...tmpfs, ...service.tmpfs },
    ...(size === null ? {} : { StorageOpt: { size: String(size) } }),
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

/** The host may write core dumps of containers to its own disk. */
const NO_CORE = { soft: 0, hard: 0 }

/** `/etc/hosts` and similar files are on the host, outside the limit of the layer. */
function fileSize(bytes: number | null): Record<string, { soft: number; hard: number }> {
  return bytes === null ? {} : { fsize: { soft: bytes, hard: bytes } }
}

/** Logs are kept, but limited so that they cannot fill the disk. */
export const LOGS = { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } }

export function networking(place: Place | null) {
  if (!place) return {}
  const { network, address, alias } = place
  const endpoint = { Aliases: [alias], ...(address === null ? {} : { IPAMConfig: { IPv4Address: address } }) }
  return { NetworkingConfig: { EndpointsConfig: { [network]: endpoint } } }
}

/** A container that is never started; it only carries a name and labels. */
export function labelContainerBody(image: string, labels: Labels) {
  return { Image: image, Cmd: ['true'], Labels: labels, HostConfig: { NetworkMode: 'none', ...FIRM } }
}
