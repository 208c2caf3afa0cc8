import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { WorldView } from '../../../world/model.ts'
import { reportOf, type Report } from './rules.ts'
import { scopeOf } from './scope.ts'
import { readFigures } from './store.ts'

/** The figures change slowly, and computing them reads all submissions. */
const FRESH_MS = MINUTE_MS
/** A slow database spends at most a twentieth of its time on it. */
const REST_FACTOR = 20
/** Callers wait for the computation that is shared by all; only other ones queue. */
const SLOTS = { slots: 1, maxQueue: 8 }

export type InSlot = ReturnType<typeof createSemaphore>

/** One computation at a time, of whatever figures. */
export function createSlot(): InSlot {
  return createSemaphore(SLOTS)
}

interface Kept<T> {
  readonly key: string
  readonly value: Promise<T>
  /** Infinity while it runs. */
  until: number
}

/**
 * Keeps the last value for a minute, or longer if it took long, and as long as the key is the same. A failure is kept too,
 * for as long as its duration demands, so that a database that is too slow is not asked all the time.
 */
export function cacheReports<T>(now: () => number, inSlot: InSlot) {
  let kept: Kept<T> | null = null
  return (key: string, compute: () => Promise<T>): Promise<T> => {
    if (!mayUseCaches()) return inSlot(compute)
    if (kept && kept.key === key && now() < kept.until) return kept.value
    const made: Kept<T> = { key, value: inSlot(run), until: Infinity }
    kept = made
    // A full queue is not worth keeping.
    made.value.catch(() => {
      if (kept === made && made.until === Infinity) kept = null
    })
    return made.value

    async function run(): Promise<T> {
      const began = now()
      let atLeastMs = 0
      try {
        const result = await compute()
        atLeastMs = FRESH_MS
        return result
      } finally {
        made.until = now() + Math.max(atLeastMs, REST_FACTOR * (now() - began))
      }
    }
  }
}

export async function computeReport(db: Database, world: WorldView, now: number): Promise<Report> {
  const scope = scopeOf(world, now)
  return reportOf(world, { scope, ...(await readFigures(db, scope)) }, now)
}
