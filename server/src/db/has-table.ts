import sql from 'sql-template-tag'
import type { Queries } from './database.ts'

/** Whether the database has a table. An empty one has none, and one of an earlier version lacks later ones. */
export async function hasTable(db: Queries, name: string): Promise<boolean> {
  const [found] = await db.query(sql`select 1 where to_regclass(${name}) is not null`)
  return found !== undefined
}
