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

/** Options that would mount the machine's own folders are refused: a volume is empty, of another machine, or memory. */
const Volume = z
  .strictObject({ driver: z.enum(['local', 'nfs', 'tmpfs']).default('local'), driver_opts: DriverOptions })
  .superRefine(({ driver, driver_opts: options }, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: 'custom', path: ['driver_opts'], message })
    const allowed: readonly string[] = { local: [], nfs: ['o', 'device'], tmpfs: ['o'] }[driver]
    const [stray] = Object.keys(options).filter((name) => !allowed.includes(name))
    if (stray !== undefined) refuse(`${driver} volumes have no option ${stray}`)
    if (driver === 'nfs' && !options['device']?.startsWith(':')) refuse('device must be :/path of the server')
    if (/\bbind\b/.test(options['o'] ?? '')) refuse('bind mounts are refused')
  })

const few = <Value extends z.ZodType>(value: Value, most: number) =>
  z.record(Name, value).refine((map) => Object.keys(map).length <= most, `has more than ${most} entries`)

/** What a challenge runs for each team: contract, admin 4.3. */
const AnyInstance = z
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
export type InstanceConfig = z.output<typeof AnyInstance>

/** What gives a service the machine, or a way around its walls, needs the consent of whoever runs the machine. */
export const PrivilegedInstance = AnyInstance
export const InstanceConfig = AnyInstance.superRefine(({ services, networks }, { addIssue }) => {
  const refuse = (path: string[], fields: readonly string[]) => {
    for (const field of fields)
      addIssue({
        code: 'custom',
        path: [...path, field],
        message: 'is refused unless the instancer has allowPrivileged',
      })
  }
  for (const [name, service] of Object.entries(services)) refuse(['services', name], boldFields(service))
  for (const [name, { driver, driver_opts: options }] of Object.entries(networks)) {
    if (driver === 'host') refuse(['networks', name], ['driver'])
    if (Object.keys(options).some((option) => !HARMLESS_NETWORK_OPTIONS.has(option)))
      refuse(['networks', name], ['driver_opts'])
  }
})

/** Fields of a service that take down a wall between it and the machine. */
function boldFields(service: ServiceConfig): string[] {
  const { privileged, network_mode, cap_add, cap_drop, security_opt, pids_limit } = service
  const isBold = {
    privileged,
    network_mode: network_mode === 'host',
    cap_add: cap_add.some((capability) => !HARMLESS.has(capability.replace(/^CAP_/, ''))),
    cap_drop: !cap_drop.includes('ALL'),
    // Whatever else may stand there loosens the engine's own profiles.
    security_opt:
      security_opt.length === 0 || !security_opt.every((option) => NO_NEW_PRIVILEGES.test(option)),
    // Without a limit one service uses up the processes of the machine.
    pids_limit: pids_limit < 1,
  }
  return Object.entries(isBold).flatMap(([field, is]) => (is ? [field] : []))
}

const NO_NEW_PRIVILEGES = /^no-new-privileges([:=]true)?$/

/** Others publish addresses, or open the bridge to what is around it. */
const HARMLESS_NETWORK_OPTIONS = new Set([
  'com.docker.network.driver.mtu',
  'com.docker.network.bridge.enable_icc',
])

/** Rights of a container's own root, which reach nothing outside. */
const HARMLESS = new Set(
  'CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE SYS_CHROOT AUDIT_WRITE'.split(
    ' ',
  ),
)

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
