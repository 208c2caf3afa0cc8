import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queries } from './database.ts'

/** A fingerprint that reveals nothing about the key. The database stores it. */
export function markOf(tokenKey: Buffer): string {
  return createHmac('sha256', tokenKey).update('pennant token key').digest('base64')
}

/** Another fingerprint, which every client may read. */
export function deploymentOf(tokenKey: Buffer): string {
  return createHmac('sha256', tokenKey).update('pennant deployment').digest('base64url')
}

/** Whether tokens of the database's teams were signed with another key. A database without teams accepts any key. */
export async function hasOtherKey(db: Queries, tokenKey: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    select from deployment where token_key_mark <> ${markOf(tokenKey)} and exists (select from teams)`)
  return rows.length > 0
}
