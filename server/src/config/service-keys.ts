import { isIP } from 'node:net'
import { z } from 'zod'
import { HttpUrl, Milliseconds, Port, Text } from './fields.ts'
import { DatabaseKey, RedisKey } from './store-keys.ts'

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

const trusted = z.string().refine(isAddressRange, {
  error: 'must be an IP address, a range like 10.0.0.0/8, or loopback, linklocal, uniquelocal',
})

const Trust = z.union(
  [
    z.boolean(),
    z.int().min(0).max(100),
    z.string().transform(splitList).pipe(z.array(trusted)),
    z.array(trusted),
  ],
  {
    error: 'must be true, false, a number of hops, or IP addresses and ranges',
  },
)

const cspSource = z
  .string()
  .regex(/^[^\s;,]+$/, { error: 'must be one source without spaces, commas, semicolons' })

const page = (value: number, text: string) => z.int().min(1).max(1_000_000).default(value).describe(text)

const bucket = (burst: number, windowMs: number, text: string) =>
  z
    .strictObject({
      burst: z.int().min(1).max(1_000_000).default(burst).describe('Requests at once.'),
      windowMs: Milliseconds.min(1)
        .default(windowMs)
        .describe('Milliseconds in which the whole burst comes back.'),
    })
    .prefault({})
    .describe(text)

/** How the service runs: addresses, stores, limits. */
export const serviceKeys = {
  origin: HttpUrl.transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public address of the site, as players type it. Default: `http://localhost:<port>`.'),
  host: Text.default('0.0.0.0').describe('Address to listen on.'),
  port: Port.default(3000).describe('TCP port to listen on.'),
  dataDir: Text.default('./data').describe(
    'Folder for what this server keeps: the embedded database, the token key, uploads.',
  ),
  tokenKey: z
    .string()
    .refine(isTokenKey, { error: 'must be base64 of 32 bytes; `pennant token-key` prints a new one' })
    .transform((text) => Buffer.from(text, 'base64'))
    .optional()
    .describe(
      'Key of all sign-in tokens: base64 of 32 random bytes. Another key signs every team out. Default: made at the first start and kept in the data folder.',
    ),
  instanceType: z
    .enum(['all', 'frontend', 'leaderboard'])
    .default('all')
    .describe('What this process does: answer requests (frontend), background work (leaderboard), or both.'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severity that is logged.'),
  database: DatabaseKey.describe('PostgreSQL 14 or later. Absent: an embedded one runs in the data folder.'),
  redis: RedisKey.describe(
    'Redis or Valkey; needed with several processes. Absent: this process keeps it itself.',
  ),
  shutdownTimeout: Milliseconds.default(30_000).describe(
    'Milliseconds after which a shutdown is forced; 0: never. A second signal ends the process at once.',
  ),
  idleTimeout: z.int().min(0).max(255).default(65).describe('Seconds until an idle connection is closed.'),
  maxRequestBodySize: z
    .int()
    .min(1024)
    .default(1_073_741_824)
    .describe('Largest file upload of admins, in bytes. Other requests have fixed, smaller limits.'),
  proxy: z
    .strictObject({
      cloudflare: z.boolean().default(false).describe('Take the client address from `CF-Connecting-IP`.'),
      trust: Trust.default(2).describe(
        'Whose X-Forwarded-For is believed: true, false, a number of proxies on private networks (no more than append to it: visitors could choose their address), or a list of addresses and ranges (also loopback, linklocal, uniquelocal); name a proxy that has a public address.',
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
      maxLimit: page(100, 'Largest page of the leaderboard and of solve lists.'),
      maxOffset: z.int().min(0).default(4_294_967_296).describe('Largest offset of a page.'),
      updateInterval: Milliseconds.min(100)
        .default(30_000)
        .describe(
          'Accepted for configurations of older platforms; without effect. Standings follow each change at once.',
        ),
      graphMaxTeams: page(10, 'Most teams of a graph request.'),
      graphSampleTime: Milliseconds.min(1000)
        .default(300_000)
        .describe('Milliseconds between two points of the graph.'),
      graphWithListLimit: page(100, 'Largest page of the leaderboard together with its graph.'),
    })
    .prefault({}),
  rateLimits: z
    .strictObject({
      registerIp: bucket(20, 600_000, 'Registrations with mail, per address of the caller.'),
      registerEmail: bucket(2, 3_600_000, 'Registrations, per email address.'),
      recoverIp: bucket(5, 1_500_000, 'Recoveries, per address of the caller.'),
      recoverEmail: bucket(2, 3_600_000, 'Recoveries, per email address.'),
      setEmail: bucket(3, 900_000, 'Changes of the address, per team.'),
      externalAuthorize: bucket(5, 50_000, 'Consents for external sites, per team.'),
    })
    .optional()
    .describe('Limits against abuse of mail and consent. Absent: off; `{}`: on, with the defaults.'),
  metrics: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Serve Prometheus metrics at `/metrics`.'),
      token: Text.optional().describe('Bearer token that `/metrics` asks for. Absent: it asks for none.'),
    })
    .prefault({}),
}

function isTokenKey(text: string): boolean {
  return /^[\w+/-]+={0,2}$/.test(text) && Buffer.from(text, 'base64').length === 32
}

function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (prefix === undefined) return NAMED_RANGES.includes(text) || isIP(address) > 0
  const bits = isIP(address) === 4 ? 32 : 128
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}
