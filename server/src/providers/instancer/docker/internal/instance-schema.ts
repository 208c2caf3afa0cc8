import { z } from 'zod'
import { Name, ServiceConfig } from './service-config.ts'

/** Instances are small; larger challenges are better served by a machine of their own. */
const MAX_SERVICES = 12
const MAX_NETWORKS = 8
const MAX_VOLUMES = 16

const DriverOptions = z.record(z.string().max(200), z.string().max(4096)).default({})

const Network = z.strictObject({
  driver: z.enum(['bridge', 'host', 'none']).default('bridge'),
  internal: z.boolean().default(true).describe('If false, services on this network can reach the internet.'),
  driver_opts: DriverOptions,
})

export type Volume = z.output<typeof Volume>
/**
 * Options that would mount the host's own folders are refused: a volume is empty, on another machine, or in
 * memory.
 */
const Volume = z
  .strictObject({ driver: z.enum(['local', 'nfs', 'tmpfs']).default('local'), driver_opts: DriverOptions })
  .superRefine(({ driver, driver_opts: options }, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: 'custom', path: ['driver_opts'], message })
    const allowed: readonly string[] = { local: [], nfs: ['o', 'device'], tmpfs: ['o'] }[driver]
    const [stray] = Object.keys(options).filter((name) => !allowed.includes(name))
    if (stray !== undefined) refuse(`${driver} volumes do not support the option ${stray}`)
    if (driver === 'nfs' && !options['device']?.startsWith(':')) refuse('device must be :/path of the server')
    if (/\b(r?bind|move|remount)\b/.test(options['o'] ?? '')) refuse('bind mounts are not allowed')
  })

const few = <Value extends z.ZodType>(value: Value, most: number) =>
  z.record(Name, value).refine((map) => Object.keys(map).length <= most, `has more than ${most} entries`)

/** What a challenge runs for each team, including everything that `allowPrivileged` permits. */
export const PrivilegedInstance = z
  .strictObject({
    services: few(ServiceConfig, MAX_SERVICES).refine(
      (services) => Object.keys(services).length > 0,
      'needs at least one service',
    ),
    networks: few(Network, MAX_NETWORKS).default({}),
    volumes: few(Volume, MAX_VOLUMES).default({}),
  })
  .superRefine(({ services, networks, volumes }, { addIssue }) => {
    const refuse = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
    for (const [name, service] of Object.entries(services)) {
      const path = ['services', name]
      for (const network of service.networks)
        if (!Object.hasOwn(networks, network)) refuse([...path, 'networks'], `${network} is not declared`)
      for (const mount of service.volumes) {
        const [volume = ''] = mount.split(':')
        if (!Object.hasOwn(volumes, volume)) refuse([...path, 'volumes'], `${volume} is not declared`)
      }
      if (service.networks.length > 0 && (service.network_mode ?? 'bridge') !== 'bridge')
        refuse([...path, 'network_mode'], 'cannot be combined with networks')
    }
  })
