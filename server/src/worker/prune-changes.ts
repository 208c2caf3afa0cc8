import sql from 'sql-template-tag'
import { DAY_MS } from '@pennant/contract/durations.ts'
import type { Queries } from '../db/database.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/** Maximum lag of a follower. Beyond it, the follower's last row is gone and it reloads everything. */
export interface ChangesToKeep {
  readonly rows: number
  readonly ms: number
}

const DEFAULT_RETENTION: ChangesToKeep = { rows: 100_000, ms: DAY_MS }

/** Prunes the oldest part of the change log, in order, so that the log never has gaps. */
export function pruneChanges(db: Queries, kept: ChangesToKeep = DEFAULT_RETENTION): Prune {
  return async () => {
    const rows = await db.query(sql`
      with edge as (select seq from changes order by seq desc offset ${kept.rows} limit 1),
        oldest as (
          select seq from changes where seq <= (select seq from edge)
            and at <= clock_timestamp() - ${kept.ms}::float8 * interval '1 ms'
          order by seq limit ${PRUNE_BATCH_SIZE}
        )
      delete from changes using oldest where changes.seq = oldest.seq returning 1`)
    return rows.length
  }
}
