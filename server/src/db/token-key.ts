import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queries } from './database.ts'

/** A fingerprint that reveals nothing about the key. The database stores it. */
export function markOf(tokenKey: Buffer): string {
  return createHmac('sha256', tokenKey).update('pennant token key').digest('base64')
}

/**
 * Fingerprints of the token key and of the database, with a dot between them, which every client may read. Without a database,
 * the second one is empty.
 */
export async function deploymentOf(tokenKey: Buffer, db: Queries | null): Promise<string> {
  const mark = (text: string) => createHmac('sha256', tokenKey).update(text).digest('base64url')
  return `${mark('pennant deployment')}.${db === null ? '' : mark(await databaseIdOf(db))}`
}

/** The same after a failover, another one for a copy that was restored elsewhere. */
async function databaseIdOf(db: Queries): Promise<string> {
  const [own] = await db.query<{ oid: string }>(
    sql`select oid::text from pg_database where datname = current_database()`,
  )
  // Some managed services do not allow it.
  const [cluster] = await db
    .query<{ id: string }>(sql`select system_identifier::text as id from pg_control_system()`)
    .catch(() => [])
  return `${cluster?.id ?? ''}/${own?.oid ?? ''}`
}

/** Whether tokens of the database's teams were signed with another key. A database without teams accepts any key. */
export async function hasOtherKey(db: Queries, tokenKey: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    select from deployment where token_key_mark <> ${markOf(tokenKey)} and exists (select from teams)`)
  return rows.length > 0
}
