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
  /** Clock of the buckets that stand in while Redis does not answer. */
  readonly now: () => number
  /** Put before each key, so that several deployments may share a store. */
  readonly keyPrefix?: string
}

/** A request waits no longer for Redis than this before it goes on without. */
const commandTimeoutMs = 1000
/** A start waits this long for the first connection; then the process serves without, and connects later. */
const firstConnectionMs = 3000

/**
 * The shared store. While it does not answer, rate limits are kept by the process (contract, ruling 9), one-time
 * markers fail, and wake-ups are left to polling. Connections come back by themselves.
 */
export async function openRedis(options: RedisStoreOptions): Promise<KeyValue> {
  const { url, log, now, keyPrefix = 'pennant:' } = options
  const redis = connect(url)
  const health = watchHealth(redis, log)
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: takeScript })
  await firstConnection(redis)

  const buckets = createRedisBuckets({ redis, keyPrefix, health, standIn: createMemoryBuckets({ now }) })
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
    // Commands fail at once while there is no connection, instead of piling up behind it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: firstConnectionMs,
    // A connection that swallows commands is given up, so that its queue stays short.
    socketTimeout: 5 * commandTimeoutMs,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 100, 2000),
    // A fail-over made our server a replica: connect again, then send again.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  })
  // Outages are told by the health log; without a listener each would end the process.
  redis.on('error', () => {})
  return redis
}

async function firstConnection(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  const waiting = new AbortController()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, firstConnectionMs)
    waiting.signal.addEventListener('abort', () => clearTimeout(timer))
    redis.once('ready', resolve)
  })
  waiting.abort()
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

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new UnavailableError('The key-value store does not answer.', { cause: error })
  }
}
