import { statfs } from 'node:fs/promises'
import type { KeyValue } from '../../lib/key-value.ts'
import type { WarningSource } from './warnings.ts'

/** The database stops at a full disk; a large event writes about this much in an hour. */
const LEAST_FREE_BYTES = 1024 ** 3
const GIB = 1024 ** 3

/** Looks at the disk of the embedded database. */
export function diskSource(folder: string, leastFreeBytes = LEAST_FREE_BYTES): WarningSource {
  return async () => {
    // A folder that is gone is told by the database, louder.
    const disk = await statfs(folder).catch(() => null)
    const freeBytes = disk ? disk.bavail * disk.bsize : Infinity
    if (freeBytes >= leastFreeBytes) return []
    const free = (freeBytes / GIB).toFixed(1)
    return [{ code: 'diskLow', text: `The disk of the database has ${free} GiB left.`, since: null }]
  }
}

export function redisSource({ ping }: Pick<KeyValue, 'ping'>): WarningSource {
  return () =>
    ping().then(
      () => [],
      () => [
        {
          code: 'redisAway',
          text: 'Redis does not answer. Each process keeps its own rate limits, and one-time links fail.',
          since: null,
        },
      ],
    )
}
