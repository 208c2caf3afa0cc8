import { isIP } from 'node:net'
import { limits, strictLimits, type StrictLimitName } from '@pennant/contract/limits.ts'
import { z } from 'zod'
import { NAMED_RANGES } from '../lib/addresses.ts'
import { backupStores } from '../providers/backups/backups.ts'
import { PUBLIC_KEY } from '../lib/ssh-signature.ts'
import { HttpUrl, OriginUrl, ServiceUrl } from '../lib/service-url.ts'
import { Instant, Milliseconds, Port, Text } from './fields.ts'
import { oneOf } from './one-of.ts'
import { DatabaseKey, RedisKey } from './store-keys.ts'

const trusted = z.string().refine(isAddressRange, {
  error: 'must be an IP address, a range such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
})

const addressList = z.union([z.string().transform(splitList).pipe(z.array(trusted)), z.array(trusted)])

const Trust = z.union([z.boolean(), z.int().min(0).max(100), addressList], {
  error: 'must be true, false, a number of hops, or IP addresses and ranges',
})

const cspSource = z
  .string()
  .regex(/^[^\s;,]+$/, { error: 'must be a single source without spaces, commas or semicolons' })

const page = (value: number, text: string) => z.int().min(1).max(1_000_000).default(value).describe(text)

const Burst = z.int().min(1).max(1_000_000)
const Window = Milliseconds.min(1)
const STRICT_LIMITS = Object.keys(strictLimits) as StrictLimitName[]

/** How the service runs: addresses, datastores, limits. */
export const serviceKeys = {
  origin: OriginUrl.optional().describe(
    'Public URL of the site, as players type it. Default: `http://localhost:<port>`.',
  ),
  filesOrigin: OriginUrl.optional().describe(
    'Separate origin for uploaded files that also leads to this server, such as `https://files.ctf.example`. Files are only served there, and the site redirects to it. Absent: files are served from the origin of the site.',
  ),
  security: z
    .strictObject({
      contacts: z
        .array(
          z.string().regex(/^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:[\d+-]+)$/, {
            error: 'must be a mailto:, https: or tel: URL',
          }),
        )
        .max(10)
        .default([])
        .describe(
          'Where to report vulnerabilities of this server, as `mailto:` or `https:` URLs, published in `/.well-known/security.txt`. Without contacts there is no such file.',
        ),
      policyUrl: HttpUrl.optional().describe('URL of the disclosure policy, published in `security.txt`.'),
    })
    .prefault({}),
  host: Text.default('0.0.0.0').describe('Address to listen on.'),
  port: Port.default(3000).describe('TCP port to listen on.'),
  dataDir: Text.default('./data').describe(
    'Folder for the data of this server: the embedded database, the token key, uploads.',
  ),
  tokenKey: z
    .string()
    .refine(isTokenKey, { error: 'must be 32 bytes in base64; `pennant token-key` generates one' })
    .transform((text) => Buffer.from(text, 'base64'))
    .optional()
    .describe(
      'Key that signs all tokens: 32 random bytes in base64. Changing it signs every team out. Default: generated at the first start and stored in the data folder.',
    ),
  instanceType: z
    .enum(['all', 'frontend', 'leaderboard'])
    .default('all')
    .describe('What this process does: serve requests (frontend), background work (leaderboard), or both.'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum severity of log lines.'),
  database: DatabaseKey.describe(
    'PostgreSQL 14 or later. Absent: the server runs an embedded one in the data folder.',
  ),
  redis: RedisKey.describe(
    'Redis or Valkey, for deployments with several processes. Absent: rate limits are kept in memory, and one-time tokens in PostgreSQL.',
  ),
  backup: z
    .strictObject({
      schedule: Milliseconds.default(0)
        .describe(
          'Milliseconds between two backups, made by the worker into `backup.folder`; 0 makes none. At least 60000.',
        )
        .refine((ms) => ms === 0 || ms >= 60_000, { error: 'must be 0 or at least 60000' }),
      retention: z
        .int()
        .min(1)
        .max(10_000)
        .default(14)
        .describe('Number of archives to keep in the folder; older ones are deleted.'),
      folder: Text.default('backups').describe(
        'Folder for backups, relative to the data folder or absolute. Best on another disk.',
      ),
      passphraseFile: Text.optional().describe(
        'File whose first line is the passphrase of encrypted backups, at least 12 characters. Without one, backups are not encrypted.',
      ),
      recipients: z
        .array(z.string().regex(/^age1[a-z0-9]{50,4000}$/, { error: 'must be a recipient of age, `age1…`' }))
        .max(20)
        .default([])
        .describe(
          'Recipients of age (`age-keygen` prints them) for whom backups are encrypted. The server cannot read its own backups then.',
        ),
      signingKeyFile: Text.optional().describe(
        'File with the Ed25519 key that signs backups, made by `pennant signing-key`. Each archive gets a file `.sig` beside it. Without a key, backups are not signed.',
      ),
      signedBy: z
        .array(z.string().regex(PUBLIC_KEY, { error: 'must be a public key, `ssh-ed25519 AAAA…`' }))
        .max(20)
        .default([])
        .describe(
          'Public keys of which one must have signed an archive that `pennant restore` reads. Default: that of `signingKeyFile`; without either, signatures are not checked.',
        ),
      store: oneOf(
        backupStores,
        'Bucket to which every scheduled backup is copied, under `backups/`. `retention` applies there, too.',
      ).optional(),
    })
    .refine(({ passphraseFile, recipients }) => passphraseFile === undefined || recipients.length === 0, {
      path: ['recipients'],
      error: 'cannot be combined with `passphraseFile`',
    })
    .prefault({})
    .describe('Backups, see [backup.md](backup.md).'),
  publicDemo: z
    .strictObject({
      organiser: Text.describe('Id of the team with which visitors sign in as organiser.'),
      players: z.array(Text).min(1).max(100).describe('Ids of the teams that visitors play.'),
      resetAt: Instant.describe('When the data is replaced; shown to visitors.'),
    })
    .optional()
    .describe(
      'Written by `pennant demo --public`: everyone may sign in, and no one may change anything but solve challenges. See [public-demo.md](public-demo.md).',
    ),
  shutdownDelay: Milliseconds.default(0).describe(
    'Milliseconds between the first signal and the shutdown. Everything works in them, but `/readyz` answers 503, so that load balancers send new requests to other replicas.',
  ),
  shutdownTimeout: Milliseconds.default(30_000).describe(
    'Milliseconds after `shutdownDelay` when a shutdown is forced; 0: never. A second signal ends the process immediately.',
  ),
  idleTimeout: z.int().min(0).max(255).default(65).describe('Seconds until an idle connection is closed.'),
  http: z
    .strictObject({
      // At the minimum, the quarter for one client address fits one body of 8 MiB, the limit of organisers'
      // JSON.
      bodyBudgetBytes: z
        .int()
        .min(67_108_864)
        .default(268_435_456)
        .describe(
          'Maximum memory for request bodies of this process, in bytes. One client address can use at most a quarter of it. Requests beyond it get 503 with `Retry-After`.',
        ),
      maxConnections: z
        .int()
        .min(100)
        .max(1_000_000)
        .default(16_384)
        .describe(
          'Maximum number of open connections of this process. The limit is lower if the system allows fewer open files.',
        ),
      maxConnectionsPerAddress: z
        .int()
        .min(10)
        .max(1_000_000)
        .default(4096)
        .describe(
          'Maximum number of open connections of one IPv4 address or IPv6 /64. Trusted proxies (`proxy.trust`) are exempt.',
        ),
      overloadDelay: z
        .int()
        .min(0)
        .max(10_000)
        .default(50)
        .describe(
          'Milliseconds that requests may wait for the processor. Beyond it, some get 503 with `Retry-After`: first anonymous reads, then reads of teams, then other changes, and at last half of the flags. 0: none.',
        ),
      streams: z
        .strictObject({
          max: z
            .int()
            .min(0)
            .max(1_000_000)
            .default(10_000)
            .describe('Maximum number of open streams of this process. Beyond it, clients poll.'),
          maxPerAddress: z
            .int()
            .min(1)
            .max(1_000_000)
            .default(2000)
            .describe('Maximum number of open streams of one IPv4 address or IPv6 /64.'),
          maxPerTeam: z
            .int()
            .min(1)
            .max(100_000)
            .default(100)
            .describe('Maximum number of open streams of one team.'),
        })
        .prefault({})
        .describe('Limits on the live stream, `/api/v2/stream`. Each stream is also a connection.'),
    })
    .prefault({})
    .describe('Limits on connections and request bodies.'),
  maxRequestBodySize: z
    .int()
    .min(1024)
    .default(1_073_741_824)
    .describe(
      'Maximum size of a file upload by admins, in bytes. Other requests have fixed, smaller limits.',
    ),
  proxy: z
    .strictObject({
      trust: Trust.default(['loopback']).describe(
        'Proxies whose X-Forwarded-For header is trusted: a list of addresses and ranges (also loopback, linklocal, uniquelocal), true (every peer: clients can then choose their address), false, or the exact number of proxies that append to the header.',
      ),
      cloudflare: z
        .boolean()
        .default(false)
        .describe(
          "Take the client address from `CF-Connecting-IP` if the request comes from Cloudflare's addresses or from a proxy listed in `trust`.",
        ),
      cloudflareRanges: addressList
        .optional()
        .describe(
          'Addresses that Cloudflare connects from. Default: those published at https://www.cloudflare.com/ips, as of this release.',
        ),
    })
    .prefault({}),
  csp: z
    .record(
      z.string().regex(/^[a-z-]+$/, { error: 'must be a directive such as img-src' }),
      z.array(cspSource),
    )
    .default({})
    .describe('Additional sources for the Content-Security-Policy: directive to list of sources.'),
  leaderboard: z
    .strictObject({
      maxLimit: page(100, 'Maximum page size of the leaderboard and of solve lists.'),
      maxOffset: z.int().min(0).default(4_294_967_296).describe('Maximum offset of a page.'),
      graphMaxTeams: page(10, 'Maximum number of teams in a graph request.'),
      graphSampleTime: Milliseconds.min(1000)
        .default(300_000)
        .describe('Milliseconds between points of the graph.'),
      graphWithListLimit: page(100, 'Maximum page size of the leaderboard with graph.'),
    })
    .prefault({}),
  registrationLimit: z
    .strictObject({
      burst: Burst.default(limits.registrations.burst).describe('Number of requests at once.'),
      windowMs: Window.default(limits.registrations.windowMs).describe(
        'Milliseconds in which the burst is refilled.',
      ),
    })
    .prefault({})
    .describe(
      'Registrations per client address, IPv6 by /64. The default lets a university behind one address register 300 teams at once, then one per second.',
    ),
  rateLimits: z
    .partialRecord(z.enum(STRICT_LIMITS), z.strictObject({ burst: Burst, windowMs: Window }).partial())
    .transform(withDefaults)
    .optional()
    .describe(
      'Stricter limits on mail and consent: `registerIp`, `registerEmail`, `recoverIp`, `recoverEmail`, `setEmail`, `externalAuthorize`, each with `burst` and `windowMs`. See [requests-and-responses.md](../reference/requests-and-responses.md#rate-limits). Absent: off; `{}`: on, with the defaults.',
    ),
  tracing: z
    .strictObject({
      endpoint: ServiceUrl.optional().describe(
        'URL to which traces are sent as OTLP over HTTP, such as `http://collector:4318/v1/traces`. Absent: no traces.',
      ),
      headers: z
        .record(z.string().min(1), z.string())
        .default({})
        .describe('Headers of these requests, for example with a token.'),
      sample: z
        .number()
        .min(0)
        .max(1)
        .default(0.1)
        .describe('Share of the requests that are traced, 0 to 1. A trusted proxy can decide for a request.'),
    })
    .prefault({})
    .describe('Traces for OpenTelemetry, see [monitoring.md](monitoring.md#traces).'),
  metrics: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether to serve Prometheus metrics at `/metrics`.'),
      token: Text.optional().describe(
        'Bearer token that `/metrics` requires. Absent: `/metrics` only serves requests that come directly from this machine or a private network.',
      ),
    })
    .prefault({}),
}

interface Size {
  readonly burst?: number | undefined
  readonly windowMs?: number | undefined
}

function withDefaults(given: Partial<Record<StrictLimitName, Size>>) {
  const sizes = STRICT_LIMITS.map((name) => {
    const { burst, windowMs } = strictLimits[name]
    return [
      name,
      { burst: given[name]?.burst ?? burst, windowMs: given[name]?.windowMs ?? windowMs },
    ] as const
  })
  return Object.fromEntries(sizes)
}

function isTokenKey(text: string): boolean {
  return /^[\w+/-]+={0,2}$/.test(text) && Buffer.from(text, 'base64').length === 32
}

function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (prefix === undefined) return Object.hasOwn(NAMED_RANGES, text) || isIP(address) > 0
  const bits = isIP(address) === 4 ? 32 : 128
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}
