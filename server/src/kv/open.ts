import type { Database } from '../db/database.ts'
import { createMemoryBuckets } from '../lib/buckets.ts'
import type { Bus, KeyValue } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createDatabaseMarkers } from './database-markers.ts'
import { createMemoryBus } from './memory-bus.ts'
import { openRedis } from './redis.ts'

export interface KeyValueOptions {
  readonly redisUrl?: string | undefined
  /** Used without Redis, instead of one that is local to the process. */
  readonly bus?: Bus | undefined
  readonly db: Database
  readonly now: () => number
  readonly log: Log
}

/** Redis if it is configured. Otherwise buckets are local to the process and markers are database rows. */
export async function openKeyValue({ redisUrl, bus, db, now, log }: KeyValueOptions): Promise<KeyValue> {
  if (redisUrl) return await openRedis({ url: redisUrl, log, now })
  return {
    buckets: createMemoryBuckets({ now }),
    markers: createDatabaseMarkers(db, now),
    bus: bus ?? createMemoryBus(),
    ping: () => db.ping(),
    close: async () => {},
  }
}
