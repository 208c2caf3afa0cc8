import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/**
 * Rows of history to keep: ten organisers make a few thousand changes in a long event. An old value of a setting can be
 * a whole page of 100 KB, so fewer of those are kept.
 */
const KEPT = { admin_actions: 100_000, settings_history: 10_000 } as const

/** Prunes old admin actions and old versions of settings. */
export function pruneHistory(db: Queries, table: keyof typeof KEPT, kept: number = KEPT[table]): Prune {
  const rows = raw(table)
  return async () => {
    const gone = await db.query(sql`
      delete from ${rows} where id in (
        select id from ${rows} where id <= (select id from ${rows} order by id desc offset ${kept} limit 1)
        order by id limit ${PRUNE_BATCH_SIZE}
      ) returning 1`)
    return gone.length
  }
}
