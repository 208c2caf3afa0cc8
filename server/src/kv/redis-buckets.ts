import { performance } from 'node:perf_hooks'
import type { Redis, Result } from 'ioredis'
import { tokenIntervalUs } from '../lib/buckets.ts'
import type { Buckets, BucketSize } from '../lib/key-value.ts'
import type { Health } from './redis-health.ts'

/** `takeToken` of lib/buckets.ts as one atomic step, by the store's clock. */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local debt = math.min(math.max((tonumber(redis.call('GET', KEYS[1])) or 0) - now, 0), interval * burst)
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

/** After a failure the store is left alone this long, so that requests do not each wait for the time-out. */
const restMs = 1000

interface RedisBucketsOptions {
  readonly redis: Redis
  readonly keyPrefix: string
  readonly health: Health
  /** Takes over while the store does not answer. */
  readonly standIn: Buckets
}

export function createRedisBuckets({ redis, keyPrefix, health, standIn }: RedisBucketsOptions): Buckets {
  let restUntil = 0

  async function askStore(key: string, size: BucketSize): Promise<number | null> {
    try {
      const waitMs = await redis.takeToken(`${keyPrefix}bucket:${key}`, tokenIntervalUs(size), size.burst)
      health.answered()
      return waitMs
    } catch (error) {
      restUntil = performance.now() + restMs
      health.failed(error)
      return null
    }
  }

  return {
    async take(key, size) {
      const waitMs = performance.now() < restUntil ? null : await askStore(key, size)
      return waitMs ?? (await standIn.take(key, size))
    },
  }
}
