import { z } from 'zod'
import { shellWords } from './shell-words.ts'
import { Duration, Size } from './sizes.ts'

// The fields of a service and their defaults: docs/reference/providers.md#container-configuration

/** More entries are a mistake, and slow down engines. */
const MAX_ENTRIES = 64
const MAX_TEXT = 65_536

const Text = z.string().max(MAX_TEXT)
export const Name = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/, { error: 'must be a name of letters, digits, _, . and -' })
const Label = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, { error: 'must be a host name' })
const AbsolutePath = z.string().regex(/^\//, { error: 'must be an absolute path' }).max(4096)
const Capability = z.string().regex(/^[A-Z_]{2,40}$/, { error: 'must be a capability, such as NET_RAW' })
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ENTRIES).default([])
const mapOf = <Value extends z.ZodType>(key: z.ZodString, value: Value) =>
  z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= MAX_ENTRIES, `has more than ${MAX_ENTRIES} entries`)

const Command = Text.refine((line) => shellWords(line) !== null, 'has a quote that is left open')
  .nullable()
  .default(null)

const Healthcheck = z.strictObject({
  test: z
    .array(Text)
    .min(1)
    .max(MAX_ENTRIES)
    .describe('For example `["CMD", "wget", "-q", "http://127.0.0.1:8080"]`.'),
  interval: Duration.default('30s'),
  timeout: Duration.default('10s'),
  retries: z.int().min(1).max(100).default(3),
  start_period: Duration.default('0s'),
})

const Ulimit = z
  .strictObject({ soft: z.int().min(-1), hard: z.int().min(-1) })
  .refine(({ soft, hard }) => hard === -1 || soft <= hard, 'soft must not be above hard')

/** No host paths and nothing persistent: only named volumes of this configuration. */
const Mount = z.string().regex(/^[a-zA-Z0-9][\w.-]{0,62}:\/[^:]*(:(ro|rw|nocopy)(,(ro|rw|nocopy))*)?$/, {
  error: 'must be volume:/path, optionally followed by :ro',
})

export const ServiceConfig = z.strictObject({
  image: z
    .string()
    .regex(/^[\w][\w.\-/:@]{0,499}$/, { error: 'must be an image reference' })
    .describe('Image reference.'),
  hostname: Label.nullable().default(null).describe('Default: the name of the service.'),
  environment: mapOf(z.string().regex(/^[^=\0]{1,200}$/), Text)
    .default({})
    .describe(
      '`$SVC_FLAG`, `$SVC_FLAGS` and `$SVC_EXPOSED_HOSTNAMES` are replaced by the values of the team.',
    ),
  command: Command.describe('A string is split into words like in a shell.'),
  entrypoint: Command.describe('A string is split into words like in a shell.'),
  working_dir: AbsolutePath.nullable().default(null),
  user: z
    .string()
    .regex(/^[\w.-]{1,64}(:[\w.-]{1,64})?$/, {
      error: 'must be a name or uid, optionally followed by :group',
    })
    .nullable()
    .default(null),
  networks: listOf(Name).describe(
    'Networks of this configuration. Exposed services also get a network of their own.',
  ),
  network_mode: z
    .enum(['bridge', 'host', 'none'])
    .optional()
    .describe('Default: `none` if there are no networks.'),
  dns: listOf(z.union([z.ipv4(), z.ipv6()])),
  dns_opt: listOf(Text),
  dns_search: listOf(Text),
  extra_hosts: listOf(z.string().regex(/^[\w.-]+:\d{1,3}(\.\d{1,3}){3}$/, { error: 'must be host:ipv4' })),
  expose: listOf(z.string().regex(/^\d{1,5}(\/(tcp|udp|sctp))?$/, { error: 'must be a port' })),
  volumes: listOf(Mount),
  tmpfs: mapOf(z.string().regex(/^\//), z.string().max(500)).default({}),
  shm_size: Size.nullable().default(null),
  healthcheck: Healthcheck.nullable().default(null),
  read_only: z.boolean().default(true),
  privileged: z.boolean().default(false),
  security_opt: z.array(Text).max(MAX_ENTRIES).default(['no-new-privileges']),
  cap_add: listOf(Capability),
  cap_drop: z.array(Capability).max(MAX_ENTRIES).default(['ALL']),
  mem_limit: Size.default('6m').describe('Memory limit; swap is not available.'),
  cpus: z.number().gt(0).max(1024).default(1),
  pids_limit: z.int().min(-1).max(65_536).default(64),
  ulimits: mapOf(z.string().regex(/^[a-z]{2,20}$/), Ulimit).default({ nofile: { soft: 1024, hard: 1024 } }),
  sysctls: mapOf(z.string().regex(/^[\w.-]{1,200}$/), Text).default({}),
  labels: mapOf(
    // Traefik's labels are case-insensitive.
    z.string().regex(/^(?!traefik\.|org\.pennant\.)[\w.\-/]{1,200}$/i, {
      error: 'must not be a label of the reverse proxy or of Pennant',
    }),
    Text,
  ).default({}),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']).default('unless-stopped'),
})
export type ServiceConfig = z.output<typeof ServiceConfig>
