import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { pruneLength, type Prune } from './prune.ts'

/**
 * What is looked back at, by rows: ten organisers do some thousand things in a long event. An earlier setting may be a
 * whole page of 100 KB, so fewer of them are kept.
 */
const KEPT = { admin_actions: 100_000, settings_history: 10_000 } as const

/** What admins did, and settings as they were, beyond what anyone looks back at. */
export function pruneHistory(db: Queries, table: keyof typeof KEPT, kept: number = KEPT[table]): Prune {
  const rows = raw(table)
  return async () => {
    const gone = await db.query(sql`
      delete from ${rows} where id in (
        select id from ${rows} where id <= (select id from ${rows} order by id desc offset ${kept} limit 1)
        order by id limit ${pruneLength}
      ) returning 1`)
    return gone.length
  }
}
