import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { pruneLength, type Prune } from './prune.ts'

/** What a follower may be late by. A later one finds its last row gone and reads everything again. */
export interface ChangesToKeep {
  readonly rows: number
  readonly ms: number
}

const keptByDefault: ChangesToKeep = { rows: 100_000, ms: 24 * 60 * 60 * 1000 }

/** The oldest part of the log of changes. From the start on, so that the log never has holes. */
export function pruneChanges(db: Queries, kept: ChangesToKeep = keptByDefault): Prune {
  return async () => {
    const rows = await db.query(sql`
      with edge as (select seq from changes order by seq desc offset ${kept.rows} limit 1),
        oldest as (
          select seq from changes where seq <= (select seq from edge)
            and at <= clock_timestamp() - ${kept.ms}::float8 * interval '1 ms'
          order by seq limit ${pruneLength}
        )
      delete from changes using oldest where changes.seq = oldest.seq returning 1`)
    return rows.length
  }
}
