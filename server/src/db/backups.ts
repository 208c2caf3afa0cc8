import sql from 'sql-template-tag'
import type { Queries } from './database.ts'

const KEPT_ROWS = 100

/** Time of the first failure since the last good backup. A failed backup is tried again, and noted again, within a minute. */
const FAILED = 'backup-failed'
const FAILED_FOR = '1 hour'

/** Time of the newest snapshot in a complete backup, in Unix milliseconds; null if there is none. */
export async function readLastBackup(db: Queries): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>(
    sql`select floor(extract(epoch from max(snapshot_at)) * 1000)::float8 as at from backups`,
  )
  return row?.at ?? null
}

/** Where the newest backup was written; null if there is none. */
export async function readLastBackupPath(db: Queries): Promise<string | null> {
  const [row] = await db.query<{ path: string }>(sql`select path from backups order by id desc limit 1`)
  return row?.path ?? null
}

export async function recordBackup(
  db: Queries,
  backup: { readonly snapshotAt: string; readonly bytes: number; readonly path: string },
): Promise<void> {
  await db.query(sql`
    insert into backups (snapshot_at, bytes, path) values (${backup.snapshotAt}, ${backup.bytes}, ${backup.path})`)
  await db.query(sql`
    delete from backups where id <= (select id from backups order by id desc offset ${KEPT_ROWS} limit 1)`)
  await db.query(sql`delete from markers where key = ${FAILED}`)
}

/** @param at Unix milliseconds. */
export async function recordFailedBackup(db: Queries, at: number): Promise<void> {
  await db.query(sql`
    insert into markers (key, value, expires_at) values (${FAILED}, ${String(at)}, clock_timestamp() + ${FAILED_FOR}::interval)
    on conflict (key) do update set expires_at = excluded.expires_at`)
}

/** When scheduled backups began to fail, in Unix milliseconds; null if the last one was good. */
export async function readFailedBackup(db: Queries): Promise<number | null> {
  const [row] = await db.query<{ value: string }>(
    sql`select value from markers where key = ${FAILED} and expires_at > clock_timestamp()`,
  )
  return row ? Number(row.value) : null
}
