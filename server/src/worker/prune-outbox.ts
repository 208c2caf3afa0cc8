import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { pruneLength, type Prune } from './prune.ts'

/** Mails and messages that were given up, after the days in which an organiser looks for the reason. */
export function pruneOutbox(db: Queries): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from outbox where id in (
        select id from outbox where failed_at < clock_timestamp() - interval '14 days' limit ${pruneLength}
      ) returning 1`)
    return rows.length
  }
}
