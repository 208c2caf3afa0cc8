import sql from 'sql-template-tag'
import type { Queries } from './database.ts'

const KEPT_ROWS = 100

/** Time of the newest snapshot in a complete backup, in Unix milliseconds; null if there is none. */
export async function readLastBackup(db: Queries): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>(
    sql`select floor(extract(epoch from max(snapshot_at)) * 1000)::float8 as at from backups`,
  )
  return row?.at ?? null
}

export async function recordBackup(
  db: Queries,
  backup: { readonly snapshotAt: string; readonly bytes: number; readonly path: string },
): Promise<void> {
  await db.query(sql`
    insert into backups (snapshot_at, bytes, path) values (${backup.snapshotAt}, ${backup.bytes}, ${backup.path})`)
  await db.query(sql`
    delete from backups where id <= (select id from backups order by id desc offset ${KEPT_ROWS} limit 1)`)
}
