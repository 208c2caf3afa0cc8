import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { pruneLength, type Prune } from './prune.ts'

/** Expired one-time markers of deployments without Redis. Readers do not find them either way. */
export function pruneMarkers(db: Queries, now: () => number): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from markers where key in (
        select key from markers where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${pruneLength}
      ) and expires_at <= to_timestamp(${now()}::float8 / 1000) returning 1`)
    return rows.length
  }
}
