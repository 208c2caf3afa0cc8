import type { z } from 'zod'
import type { Expose } from '../../instancer.ts'
import { SAFE_CAPABILITIES, SAFE_SYSCTLS } from '../../safe-settings.ts'
import { tmpfsSizeOf } from './disk.ts'
import { PrivilegedInstance } from './instance-schema.ts'
import type { Options } from './options.ts'
import type { ServiceConfig } from './service-config.ts'
import { bytesOf, nanosecondsOf } from './sizes.ts'

export type InstanceConfig = z.output<typeof PrivilegedInstance>

export type AuthorOptions = Pick<Options, 'allowPrivileged' | 'writableLayerSize' | 'maxVolumeSize'>

/**
 * What authors of challenges may configure. Fields that give a service access to the machine or to other
 * teams, or that have no limit, require the operator's consent.
 */
export function instanceConfigFor(options: AuthorOptions): z.ZodType<InstanceConfig> {
  if (options.allowPrivileged) return PrivilegedInstance
  return PrivilegedInstance.superRefine(({ services, networks, volumes }, { addIssue }) => {
    const refuse = (path: string[], messages: Refusals) => {
      for (const [field, message] of Object.entries(messages))
        if (message !== null) addIssue({ code: 'custom', path: [...path, field], message })
    }
    for (const [name, service] of Object.entries(services))
      refuse(['services', name], serviceRefusals(service, options))
    for (const [name, network] of Object.entries(networks))
      refuse(['networks', name], {
        driver: unless(network.driver !== 'host'),
        driver_opts: unless(all(Object.keys(network.driver_opts), SAFE_NETWORK_OPTIONS)),
      })
    for (const [name, volume] of Object.entries(volumes))
      refuse(['volumes', name], {
        // The host would mount it with its own network access, and all teams would share it.
        driver: unless(volume.driver !== 'nfs'),
        driver_opts:
          volume.driver !== 'tmpfs' ||
          (tmpfsSizeOf(volume.driver_opts['o'] ?? '') ?? 0) <= bytesOf(options.maxVolumeSize)
            ? null
            : `o must be plain tmpfs options with a size of at most ${options.maxVolumeSize}`,
      })
  })
}

/** The problem with the first exposed port of a service that does not exist, or null. */
export function unknownService(
  services: InstanceConfig['services'],
  expose: readonly Pick<Expose, 'containerName' | 'containerPort'>[],
): string | null {
  const stray = expose.find(({ containerName }) => !Object.hasOwn(services, containerName))
  if (!stray) return null
  const { containerName, containerPort } = stray
  const names = Object.keys(services).join(', ')
  return `expose: port ${containerPort} of ${containerName}: the challenge has no such service. It has ${names}.`
}

/** Why each field is refused; null when it is allowed. */
type Refusals = Readonly<Record<string, string | null>>

function unless(isAllowed: boolean): string | null {
  return isAllowed ? null : 'is not allowed unless the instancer has allowPrivileged'
}

function all(names: readonly string[], allowed: readonly string[]): boolean {
  return names.every((name) => allowed.includes(name))
}

function serviceRefusals(service: ServiceConfig, { writableLayerSize }: AuthorOptions): Refusals {
  const { network_mode, cap_add, cap_drop, security_opt, ulimits, healthcheck } = service
  const capabilities = cap_add.map((capability) => capability.replace(/^CAP_/, ''))
  return {
    privileged: unless(!service.privileged),
    // The engine's default bridge is shared with other teams' services and other containers of the host.
    network_mode: unless(network_mode === undefined || network_mode === 'none'),
    cap_add: unless(all(capabilities, SAFE_CAPABILITIES)),
    cap_drop: unless(cap_drop.includes('ALL')),
    // Any other option weakens the engine's own profiles.
    security_opt: unless(
      security_opt.length > 0 && security_opt.every((option) => NO_NEW_PRIVILEGES.test(option)),
    ),
    // Without a limit one service can use up the processes of the host.
    pids_limit: unless(service.pids_limit > 0),
    sysctls: unless(all(Object.keys(service.sysctls), SAFE_SYSCTLS)),
    ulimits: unless(
      all(Object.keys(ulimits), SAFE_ULIMITS) && Object.values(ulimits).every(({ hard }) => hard >= 0),
    ),
    labels: unless(Object.keys(service.labels).every((label) => SAFE_LABEL.test(label))),
    tmpfs: unless(Object.values(service.tmpfs).every((options) => tmpfsSizeOf(options) !== Infinity)),
    // The engine starts a process for each check.
    healthcheck:
      healthcheck && nanosecondsOf(healthcheck.interval) < MIN_CHECK_INTERVAL_NS
        ? 'interval must be at least 1s'
        : null,
    read_only:
      service.read_only || writableLayerSize !== undefined
        ? null
        : 'must be true, since the instancer has no writableLayerSize. Put writable paths under tmpfs',
  }
}

const MIN_CHECK_INTERVAL_NS = nanosecondsOf('1s')

const NO_NEW_PRIVILEGES = /^no-new-privileges([:=]true)?$/

/** Other options publish addresses or open the bridge to its surroundings. */
const SAFE_NETWORK_OPTIONS = ['com.docker.network.driver.mtu', 'com.docker.network.bridge.enable_icc']

/** Others raise the priority above that of the rest of the machine, or let core dumps fill its disk. */
const SAFE_ULIMITS = ['cpu', 'data', 'fsize', 'memlock', 'nofile', 'nproc', 'rss', 'stack']

/** Other programs on the machine act on labels: proxies route host names, schedulers run commands. */
const SAFE_LABEL = /^org\.opencontainers\.image\.[a-z.]+$/

/** The schema of an instancer with default options. */
export const InstanceConfig = instanceConfigFor({
  allowPrivileged: false,
  writableLayerSize: undefined,
  maxVolumeSize: '256m',
})

/** A complete example configuration. */
export const exampleConfig = InstanceConfig.parse({
  services: {
    app: {
      image: 'registry.example.org/challenge:1',
      environment: { FLAG: '$SVC_FLAG' },
      mem_limit: '64m',
      tmpfs: { '/tmp': 'size=64m,noexec,nosuid,nodev' },
    },
  },
})
