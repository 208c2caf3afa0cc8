import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { SubnetPool } from './subnets.ts'

/** PEM text, or the path of a file with it. */
const Pem = z.string().transform((value, { addIssue }) => {
  if (value.includes('-----BEGIN')) return value
  try {
    return readFileSync(value, 'utf8')
  } catch {
    addIssue({ code: 'custom', message: `no such file: ${value}` })
    return z.NEVER
  }
})

const EngineUrl = z.string().regex(/^(unix:\/\/\/|tcp:\/\/|https?:\/\/)/, {
  error: 'must be unix:///path, tcp://host:port or https://host:port',
})

const HostName = z.string().regex(/^[\w.-]{1,253}$/, { error: 'must be a host name or an address' })

const Host = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .default('local')
    .describe('What metrics and admins call it.'),
  url: EngineUrl.default('unix:///var/run/docker.sock').describe('Address of its engine.'),
  tls: z
    .strictObject({ ca: Pem.optional(), cert: Pem.optional(), key: Pem.optional() })
    .optional()
    .describe('Certificate authority and client certificate: PEM, or paths of files.'),
  publicHost: HostName.default('localhost').describe('Name by which players reach published ports.'),
  maxInstances: z.int().min(1).max(10_000).default(50).describe('Instances that it runs at once.'),
})

const Port = z.int().min(1).max(65_535)

const Traefik = z.strictObject({
  domain: HostName.describe('Instances are `<prefix>-<id>.<domain>`; a wildcard record leads there.'),
  container: z.string().min(1).describe('Name of the container of Traefik on each host.'),
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
  certResolver: z.string().optional().describe('Default: the certificate that Traefik has.'),
})

const Registry = z.strictObject({ username: z.string(), password: z.string() })

/** What `instancers/docker` is told. */
export const Options = z.strictObject({
  hosts: z
    .array(Host)
    .min(1)
    .max(64)
    .refine((hosts) => new Set(hosts.map(({ name }) => name)).size === hosts.length, 'names must differ')
    .prefault([{}])
    .describe('Machines with an engine; a new instance goes to the one that is emptiest.'),
  manager: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,29}$/)
    .default('pennant')
    .describe(
      'Objects in the engine begin with this name. Deployments that share an engine need different ones.',
    ),
  ports: z
    .strictObject({ from: Port.default(30_000), to: Port.default(32_767) })
    .refine(({ from, to }) => from <= to, 'from must not be above to')
    .prefault({})
    .describe('Range from which ports are published.'),
  traefik: Traefik.optional().describe(
    'A reverse proxy that serves `http`, `https` and `tcp-ssl` by host name. Without it they get ports as `tcp` does.',
  ),
  subnets: SubnetPool.default('10.219.0.0/16').describe(
    'Private range from which each network gets 16 addresses.',
  ),
  relaySubnet: z
    .cidrv4()
    .optional()
    .describe(
      'Subnet of the network of the relays, one address for each instance. Default: the engine chooses.',
    ),
  relayImage: z
    .string()
    .default('docker.io/library/busybox:1.37')
    .describe('Image with a shell and `nc`, which hands published ports to instances.'),
  allowPrivileged: z
    .boolean()
    .default(false)
    .describe(
      'Whether organisers may give services the machine: `privileged`, host networks, any capability.',
    ),
  registries: z
    .record(z.string(), Registry)
    .default({})
    .describe('Credentials by host name of the registry, for images that are not public.'),
  stopGrace: z.int().min(0).max(60).default(5).describe('Seconds that a service has to end by itself.'),
})
export type Options = z.output<typeof Options>
