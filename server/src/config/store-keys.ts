import { z } from 'zod'
import { credentialUrl } from '../lib/service-url.ts'
import { Milliseconds, Port, Text } from './fields.ts'

const PostgresUrl = credentialUrl(/^postgres(ql)?:\/\//, 'postgres:// or postgresql://')
const RedisUrl = credentialUrl(/^rediss?:\/\//, 'redis:// or rediss://')

const DatabaseParts = z.strictObject({
  url: PostgresUrl.optional().describe('Connection URL: postgres://user:password@host:5432/name.'),
  host: Text.optional().describe('Host, or the folder of its socket. An alternative to `url`.'),
  port: Port.default(5432).describe('Port, with `host`.'),
  user: Text.optional().describe('User, with `host`.'),
  password: z.string().optional().describe('Password, with `host`.'),
  database: Text.optional().describe('Name of the database, with `host`.'),
  // PostgreSQL allows 100 connections by default, and several processes share them.
  maxPoolSize: z
    .int()
    .min(2)
    .max(1000)
    .default(20)
    .describe(
      'Maximum number of connections of this process. It opens three more for submissions, the change log and the readiness check.',
    ),
  idleTimeout: Milliseconds.default(30_000).describe('Milliseconds until an idle connection is closed.'),
  connectTimeout: Milliseconds.default(3_000).describe('Milliseconds to wait for a connection.'),
  startTimeout: Milliseconds.default(600_000).describe(
    'Milliseconds that a start waits for a database that cannot be reached. Meanwhile `/healthz` answers 200 and `/readyz` 503.',
  ),
  migrate: z
    .enum(['before', 'only', 'never'])
    .default('before')
    .describe('Apply migrations before serving, apply them and end, or never (then run `pennant migrate`).'),
})

export const DatabaseKey = DatabaseParts.transform(
  ({ url, host, port, user, password, database, ...rest }, context) => {
    const parts = { user, password, database }
    if (host === undefined) {
      for (const [key, value] of Object.entries(parts)) {
        if (value !== undefined && url === undefined)
          context.addIssue({ code: 'custom', path: [key], message: 'requires `host`' })
      }
      return { ...rest, url }
    }
    if (url !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['host'],
        message: 'cannot be combined with `url`',
      })
    return { ...rest, url: postgresUrl({ host, port, ...parts }) }
  },
).prefault({})

const RedisParts = z.strictObject({
  url: RedisUrl.optional().describe('Connection URL: redis://user:password@host:6379/0.'),
  host: Text.optional().describe('Host. An alternative to `url`.'),
  port: Port.default(6379).describe('Port, with `host`.'),
  password: z.string().optional().describe('Password, with `host`.'),
  database: z.int().min(0).default(0).describe('Number of the database, with `host`.'),
})

export const RedisKey = RedisParts.transform(({ url, host, port, password, database }, context) => {
  if (host === undefined) return { url }
  if (url !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['host'],
      message: 'cannot be combined with `url`',
    })
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  return { url: `redis://${secret}${urlHost(host)}:${port}/${database}` }
}).prefault({})

interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
}

function postgresUrl({ host, port, user, password, database = '' }: DatabaseAddress): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`
  const login = user === undefined ? '' : `${encodeURIComponent(user)}${secret}@`
  const name = encodeURIComponent(database)
  // A folder cannot be the host of a URL.
  if (host.startsWith('/')) return `postgres://${login}/${name}?host=${encodeURIComponent(host)}&port=${port}`
  return `postgres://${login}${urlHost(host)}:${port}/${name}`
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
