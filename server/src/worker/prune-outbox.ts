import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/** Prunes mails and messages that failed for good, after some days in which an organiser can look up the reason. */
export function pruneOutbox(db: Queries): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from outbox where id in (
        select id from outbox where failed_at < clock_timestamp() - interval '14 days' limit ${PRUNE_BATCH_SIZE}
      ) returning 1`)
    return rows.length
  }
}
