import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { LRUCache } from 'lru-cache'
import type { Queries } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { setTimer } from '../../../lib/set-timer.ts'
import { recordUse } from './store.ts'

/** How exact the last use of a session is. */
const EXACT_MS = 5 * MINUTE_MS
/** Uses of this time are written together. */
const COLLECT_MS = SECOND_MS
/** A session that is forgotten is written once more. */
const MAX_SESSIONS = 20_000

interface SessionUseDeps {
  readonly db: Queries
  readonly log: Log
  readonly now: () => number
}

/** Returns a function that records the use of a session, off the path of the request. */
export function createSessionUse({ db, log, now }: SessionUseDeps): (sessionId: string) => void {
  const recordedAt = new LRUCache<string, number>({ maxSize: MAX_SESSIONS, sizeCalculation: () => 1 })
  let waiting: string[] = []
  const write = () => {
    const ids = waiting
    waiting = []
    recordUse(db, ids, now()).catch((error: unknown) =>
      log.warn({ err: error }, 'could not record the use of sessions'),
    )
  }
  return (sessionId) => {
    const at = now()
    if (at - (recordedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY) < EXACT_MS) return
    recordedAt.set(sessionId, at)
    waiting.push(sessionId)
    if (waiting.length === 1) setTimer(COLLECT_MS, write)
  }
}
