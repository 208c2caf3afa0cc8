import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/** Prunes registrations whose verification has expired. */
export function pruneRegistrations(db: Queries, now: () => number): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from pending_registrations where id in (
        select id from pending_registrations
        where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${PRUNE_BATCH_SIZE}
      ) and expires_at <= to_timestamp(${now()}::float8 / 1000) returning 1`)
    return rows.length
  }
}
