import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/** Prunes expired one-time markers of deployments without Redis. Readers ignore expired rows anyway. */
export function pruneMarkers(db: Queries, now: () => number): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from markers where key in (
        select key from markers where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${PRUNE_BATCH_SIZE}
      ) and expires_at <= to_timestamp(${now()}::float8 / 1000) returning 1`)
    return rows.length
  }
}
