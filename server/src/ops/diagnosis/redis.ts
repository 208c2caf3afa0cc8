import { failure, ok, unchecked, warning, type Check, type Subject } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'

const LEAST_VERSION = 6
const TIMEOUT_MS = 3_000

interface RedisFacts {
  readonly version: number
  readonly policy: string
  readonly isPersistent: boolean | null
}

const facts = new WeakMap<Subject, Promise<RedisFacts | null>>()

/** Reads Redis once for all checks of a run; null if none is configured. */
function readRedis(subject: Subject): Promise<RedisFacts | null> {
  const reading = facts.get(subject) ?? read(subject.config.redis.url)
  facts.set(subject, reading)
  return reading
}

async function read(url: string | undefined): Promise<RedisFacts | null> {
  if (url === undefined) return null
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableOfflineQueue: false,
  })
  let cause: Error | null = null
  redis.on('error', (error: Error) => (cause = error))
  try {
    await redis.connect().catch((error: unknown) => {
      throw cause ?? error
    })
    const info = await redis.info()
    const valueOf = (key: string) => new RegExp(`^${key}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
    // Hosted services often forbid this command.
    const save = await redis.config('GET', 'save').then(
      (pair) => String((pair as string[])[1] ?? ''),
      () => null,
    )
    const hasLog = valueOf('aof_enabled') === '1'
    return {
      version: Number.parseInt(valueOf('redis_version'), 10),
      policy: valueOf('maxmemory_policy'),
      isPersistent: hasLog || (save === null ? null : save !== ''),
    }
  } finally {
    redis.disconnect()
  }
}

const NONE = unchecked('Redis is not configured.')

export const redisChecks: readonly Check[] = [
  {
    name: 'redis',
    async run(subject) {
      try {
        const found = await readRedis(subject)
        if (!found) return NONE
        return found.version >= LEAST_VERSION
          ? ok()
          : failure(`Redis has version ${found.version}.`, `Use version ${LEAST_VERSION} or newer.`)
      } catch (error) {
        return failure(
          `Redis does not respond: ${reasonOf(error)}`,
          'Check `redis` and that the service runs.',
        )
      }
    },
  },
  {
    name: 'redis-eviction',
    async run(subject) {
      const found = await readRedis(subject).catch(() => null)
      if (!found) return subject.config.redis.url === undefined ? NONE : unchecked('Redis does not respond.')
      return found.policy === 'noeviction'
        ? ok()
        : failure(
            `Redis removes keys when its memory is full (${found.policy}), so used tokens could be used again.`,
            'Set maxmemory-policy to noeviction.',
          )
    },
  },
  {
    name: 'redis-persistence',
    async run(subject) {
      const found = await readRedis(subject).catch(() => null)
      if (!found) return subject.config.redis.url === undefined ? NONE : unchecked('Redis does not respond.')
      if (found.isPersistent === null) return unchecked('Redis does not show its configuration.')
      return found.isPersistent
        ? ok()
        : warning(
            'Redis stores nothing on disk: a restart ends pending links and resets limits.',
            'Set appendonly to yes.',
          )
    },
  },
]
