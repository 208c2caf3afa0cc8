import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { credentialUrl } from '../../../../lib/service-url.ts'
import { Size } from './sizes.ts'
import { SubnetPool } from './subnets.ts'

/** PEM text, or the path of a PEM file. */
const Pem = z.string().transform((value, { addIssue }) => {
  if (value.includes('-----BEGIN')) return value
  try {
    return readFileSync(value, 'utf8')
  } catch {
    addIssue({ code: 'custom', message: `file not found: ${value}` })
    return z.NEVER
  }
})

const EngineUrl = credentialUrl(/^(unix:\/\/\/|tcp:\/\/|https?:\/\/)/, 'unix:///, tcp:// or https://')

const HostName = z.string().regex(/^[\w.-]{1,253}$/, { error: 'must be a host name or an address' })

const Host = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .default('local')
    .describe('Name in metrics and admin pages.'),
  url: EngineUrl.default('unix:///var/run/docker.sock').describe('URL of the engine.'),
  tls: z
    .strictObject({ ca: Pem.optional(), cert: Pem.optional(), key: Pem.optional() })
    .optional()
    .describe('Certificate authority and client certificate: PEM, or file paths.'),
  publicHost: HostName.default('localhost').describe('Name by which players reach published ports.'),
  maxInstances: z.int().min(1).max(10_000).default(50).describe('Maximum number of instances on the host.'),
  probe: z
    .boolean()
    .default(true)
    .describe(
      'Whether the server connects to the published ports of a new instance at `publicHost` before it is running. Turn it off only where players reach that address and the server cannot.',
    ),
})

const Port = z.int().min(1).max(65_535)

const Traefik = z.strictObject({
  domain: HostName.describe('Instances are at `<prefix>-<id>.<domain>`. Requires a wildcard DNS record.'),
  container: z.string().min(1).describe('Name of the Traefik container on each host.'),
  entryPoints: z
    .strictObject({
      http: z.string().default('web'),
      https: z.string().default('websecure'),
      'tcp-ssl': z.string().default('tcp'),
    })
    .prefault({}),
  ports: z
    .strictObject({ http: Port.default(80), https: Port.default(443), 'tcp-ssl': Port.default(1337) })
    .prefault({}),
  certResolver: z
    .string()
    .optional()
    .describe(
      'Resolver that requests a certificate for `*.<domain>`. Default: the certificate configured in Traefik.',
    ),
})

const Registry = z.strictObject({ username: z.string(), password: z.string() })

/** The options of `instancers/docker`. */
export const Options = z.strictObject({
  hosts: z
    .array(Host)
    .min(1)
    .max(64)
    .refine((hosts) => new Set(hosts.map(({ name }) => name)).size === hosts.length, 'names must differ')
    .prefault([{}])
    .describe('Hosts with an engine. A new instance is placed on the least loaded one.'),
  manager: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,29}$/)
    .default('pennant')
    .describe('Prefix of the names of engine objects. Deployments that share an engine need different ones.'),
  ports: z
    .strictObject({ from: Port.default(30_000), to: Port.default(32_767) })
    .refine(({ from, to }) => from <= to, 'from must not be above to')
    .prefault({})
    .describe('Range of published ports.'),
  traefik: Traefik.optional().describe(
    'Reverse proxy that routes `http`, `https` and `tcp-ssl` by host name. Without it they get published ports, like `tcp`.',
  ),
  subnets: SubnetPool.default('10.219.0.0/16').describe(
    'Private range for networks; each gets 16 addresses. An instance has one for its relay and one for each service that it exposes, and those that it declares.',
  ),
  relayImage: z
    .string()
    .default('docker.io/library/nginx:1.28-alpine-slim')
    .describe(
      'Image with a shell and nginx with its stream module, which forwards published ports to instances.',
    ),
  allowPrivileged: z
    .boolean()
    .default(false)
    .describe(
      'Whether organisers can give services access to the host and unlimited disk: `privileged`, host networks, any capability.',
    ),
  writableLayerSize: Size.optional().describe(
    'Disk limit of a service with `read_only: false`, such as 1g. The engine must support disk limits: overlay2 on XFS mounted with `pquota`; Docker also on btrfs and ZFS. Without this option, `read_only: false` is rejected.',
  ),
  maxVolumeSize: Size.default('256m').describe('Maximum size of a volume. Volumes are in memory.'),
  registries: z
    .record(z.string(), Registry)
    .default({})
    .describe('Credentials by registry host name, for private images.'),
  stopGrace: z
    .int()
    .min(0)
    .max(60)
    .default(5)
    .describe('Seconds that a service has to exit before it is killed.'),
})
export type Options = z.output<typeof Options>
