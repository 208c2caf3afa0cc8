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
  const old = sql`
    select id from ${rows} where id <= (select id from ${rows} order by id desc offset ${kept} limit 1)
    order by id limit ${PRUNE_BATCH_SIZE}`
  // The chain goes on from the last entry that is gone: `pennant verify` starts there.
  const prune =
    table === 'admin_actions'
      ? sql`
        with gone as (delete from admin_actions where id in (${old}) returning id, hash), noted as (
          update action_chain set pruned_seq = id, pruned_hash = last.hash
          from (select id, hash from gone order by id desc limit 1) as last
        ) select 1 from gone`
      : sql`delete from ${rows} where id in (${old}) returning 1`
  return async () => (await db.query(prune)).length
}
