import { Redis } from 'ioredis'
import { createMemoryBuckets } from '../lib/buckets.ts'
import { UnavailableError } from '../lib/errors.ts'
import type { KeyValue, Markers } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createRedisBuckets, takeScript } from './redis-buckets.ts'
import { createRedisBus } from './redis-bus.ts'
import { watchHealth } from './redis-health.ts'

export interface RedisStoreOptions {
  readonly url: string
  readonly log: Log
  /** Clock of the buckets that are used while Redis is unavailable. */
  readonly now: () => number
  /** Prefix of all keys, so that several deployments can share a Redis. */
  readonly keyPrefix?: string
}

/** After this a request continues without Redis. */
const COMMAND_TIMEOUT_MS = 1000
/** A start waits this long for the first connection; then the process serves without Redis and connects later. */
const FIRST_CONNECTION_MS = 3000

/**
 * The store shared by all processes. While it is unavailable, rate limits are per process, one-time markers fail and
 * followers poll (docs/reference/requests-and-responses.md#when-a-datastore-is-unavailable). Reconnects automatically.
 */
export async function openRedis(options: RedisStoreOptions): Promise<KeyValue> {
  const { url, log, now, keyPrefix = 'pennant:' } = options
  const redis = connect(url)
  const health = watchHealth(redis, log)
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: takeScript })
  await firstConnection(redis)

  const buckets = createRedisBuckets({ redis, keyPrefix, health, fallback: createMemoryBuckets({ now }) })
  const bus = createRedisBus({ redis, subscriber: connect(url), log })
  return {
    buckets,
    markers: createRedisMarkers(redis, keyPrefix),
    bus,
    async ping() {
      await orUnavailable(redis.ping())
    },
    async close() {
      bus.close()
      redis.disconnect()
    },
  }
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    // Without a connection, commands fail immediately instead of being queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: FIRST_CONNECTION_MS,
    // A connection without responses is closed, so that its queue of pending commands stays short.
    socketTimeout: 5 * COMMAND_TIMEOUT_MS,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 100, 2000),
    // After a failover this server is a replica: reconnect and resend the command.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  })
  // The health log reports outages. Without a listener, an `error` event would end the process.
  redis.on('error', () => {})
  return redis
}

async function firstConnection(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONNECTION_MS)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function createRedisMarkers(redis: Redis, keyPrefix: string): Markers {
  const name = (key: string) => `${keyPrefix}marker:${key}`
  return {
    async set(key, value, ttlMs) {
      await orUnavailable(redis.set(name(key), value, 'PX', ttlMs))
    },
    async find(key) {
      return await orUnavailable(redis.get(name(key)))
    },
    async take(key) {
      return await orUnavailable(redis.getdel(name(key)))
    },
    async claim(key, value, ttlMs) {
      return (await orUnavailable(redis.set(name(key), value, 'PX', ttlMs, 'NX'))) === 'OK'
    },
    async remove(key) {
      await orUnavailable(redis.del(name(key)))
    },
  }
}

async function orUnavailable<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw new UnavailableError('Redis unreachable', { cause: error })
  }
}
