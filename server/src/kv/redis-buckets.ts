import { performance } from 'node:perf_hooks'
import type { Redis, Result } from 'ioredis'
import { tokenIntervalUs } from '../lib/buckets.ts'
import type { Buckets, BucketSize } from '../lib/key-value.ts'
import type { Health } from './redis-health.ts'

/** `takeToken` of lib/buckets.ts as one atomic step, with Redis's clock. */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local debt = math.max((tonumber(redis.call('GET', KEYS[1])) or 0) - now, 0)
if debt > interval * burst then debt = 0 end
local wait = debt + interval - interval * burst
if wait > 0 then return math.ceil(wait / 1000) end
local fullAt = now + debt + interval
redis.call('SET', KEYS[1], string.format('%.0f', fullAt), 'PX', math.ceil((debt + interval) / 1000))
return 0`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeToken(key: string, intervalUs: number, burst: number): Result<number, Context>
  }
}

/** After a failure Redis is not called for this long, so that not every request waits for the timeout. */
const RETRY_AFTER_MS = 1000

interface RedisBucketsOptions {
  readonly redis: Redis
  readonly keyPrefix: string
  readonly health: Health
  /** Used while Redis is unavailable. */
  readonly fallback: Buckets
}

export function createRedisBuckets({ redis, keyPrefix, health, fallback }: RedisBucketsOptions): Buckets {
  let retryAt = 0

  async function takeFromRedis(key: string, size: BucketSize): Promise<number | null> {
    try {
      const waitMs = await redis.takeToken(`${keyPrefix}bucket:${key}`, tokenIntervalUs(size), size.burst)
      health.succeeded()
      return waitMs
    } catch (error) {
      retryAt = performance.now() + RETRY_AFTER_MS
      health.failed(error)
      return null
    }
  }

  return {
    async take(key, size) {
      const waitMs = performance.now() < retryAt ? null : await takeFromRedis(key, size)
      return waitMs ?? (await fallback.take(key, size))
    },
  }
}
