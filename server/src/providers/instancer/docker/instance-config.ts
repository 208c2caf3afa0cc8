import { z } from 'zod'
import { Name, ServiceConfig } from './service-config.ts'

/** What a team gets is small: more is better served by a machine of its own. */
const MAX_SERVICES = 12
const MAX_NETWORKS = 8
const MAX_VOLUMES = 16

const DriverOptions = z.record(z.string().max(200), z.string().max(4096)).default({})

const Network = z.strictObject({
  driver: z.enum(['bridge', 'host', 'none']).default('bridge'),
  internal: z.boolean().default(true).describe('False: the services on it may go out to the internet.'),
  driver_opts: DriverOptions,
})

const Volume = z.strictObject({
  driver: z.enum(['local', 'nfs', 'tmpfs']).default('local'),
  driver_opts: DriverOptions,
})

const few = <Value extends z.ZodType>(value: Value, most: number) =>
  z.record(Name, value).refine((map) => Object.keys(map).length <= most, `has more than ${most} entries`)

/** What a challenge runs for each team: contract, admin 4.3. */
export const InstanceConfig = z
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
        refuse([...path, 'network_mode'], 'cannot be set beside networks')
    }
  })
export type InstanceConfig = z.output<typeof InstanceConfig>

/** A whole configuration to start from. */
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
