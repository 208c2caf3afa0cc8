import type { Database } from '../db/database.ts'
import { createMemoryBuckets } from '../lib/buckets.ts'
import type { KeyValue } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createDatabaseMarkers } from './database-markers.ts'
import { createMemoryBus } from './memory-bus.ts'
import { openRedis } from './redis.ts'

export interface KeyValueOptions {
  readonly redisUrl?: string | undefined
  readonly db: Database
  readonly now: () => number
  readonly log: Log
}

/** Redis when there is one. Otherwise buckets and wake-ups stay in the process, and markers are rows. */
export async function openKeyValue({ redisUrl, db, now, log }: KeyValueOptions): Promise<KeyValue> {
  if (redisUrl) return await openRedis({ url: redisUrl, log, now })
  return {
    buckets: createMemoryBuckets({ now }),
    markers: createDatabaseMarkers(db, now),
    bus: createMemoryBus(),
    ping: () => db.ping(),
    close: async () => {},
  }
}
