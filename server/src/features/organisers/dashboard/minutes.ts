import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Queries } from '../../../db/database.ts'
import { minuteCounts } from './store.ts'

const SHOWN = 60

/**
 * Rows are dated before they are committed. This is longer than any statement that adds to the audit can
 * take.
 */
const SETTLES_AFTER_MS = MINUTE_MS

export interface Minute {
  /** Of all kinds and results. */
  readonly count: number
  readonly correct: number
}

const NONE: Minute = { count: 0, correct: 0 }

/**
 * Submissions per minute for the last 60 minutes, oldest first, ending with the current minute. Minutes that
 * can no longer change are counted once, so a dashboard that stays open reads two or three minutes of the
 * audit instead of an hour.
 */
export function createMinutes(): (db: Queries, clockMs: number) => Promise<Minute[]> {
  const settled = new Map<number, Minute>()
  let settledUntil = 0
  return async (db, clockMs) => {
    const present = Math.floor(clockMs / MINUTE_MS)
    const first = present - SHOWN + 1
    const from = Math.max(first, settledUntil)
    const rows = await db.query<Minute & { minute: number }>(minuteCounts(from * MINUTE_MS))
    const fresh = new Map(rows.map(({ minute, count, correct }) => [minute, { count, correct }]))
    const until = Math.floor((clockMs - SETTLES_AFTER_MS) / MINUTE_MS)
    for (let minute = from; minute < until; minute += 1) settled.set(minute, fresh.get(minute) ?? NONE)
    settledUntil = Math.max(settledUntil, until)
    for (const minute of settled.keys()) if (minute < first) settled.delete(minute)
    return Array.from({ length: SHOWN }, (_, at) => settled.get(first + at) ?? fresh.get(first + at) ?? NONE)
  }
}
