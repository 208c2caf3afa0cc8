import type { passkeyLimits } from '@pennant/contract/passkeys.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { millis } from '../../../world/rows.ts'

/** A passkey without its key. */
export interface PasskeyRow {
  /** Credential id in base64url. */
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly transports: string[]
}

/** A passkey with what a signature is checked against. */
export interface PasskeyKey {
  readonly personId: string
  readonly publicKey: Buffer<ArrayBuffer>
  readonly counter: number
}

const columns = sql`id, name, transports, ${millis('created_at')} as "createdAt", ${millis('last_used_at')} as "lastUsedAt"`

/** Oldest first. A person has few: `addPasskey` counts them. */
export function listPasskeys(db: Queries, personId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    sql`select ${columns} from passkeys where person_id = ${personId} order by created_at, id limit 100`,
  )
}

export async function findPasskey(db: Queries, id: string): Promise<PasskeyKey | null> {
  const [row] = await db.query<PasskeyKey>(sql`
    select person_id as "personId", public_key as "publicKey", counter::float8 as counter
    from passkeys where id = ${id}`)
  return row ?? null
}

export interface NewPasskey extends PasskeyKey {
  readonly id: string
  readonly name: string
  readonly transports: readonly string[]
}

/** The caller holds the change lock, so no one adds another passkey meanwhile. */
export async function insertPasskey(
  tx: ChangeTransaction,
  { id, personId, name, publicKey, counter, transports }: NewPasskey,
  max: typeof passkeyLimits.stored,
): Promise<PasskeyRow | 'known' | 'full'> {
  if ((await listPasskeys(tx, personId)).length >= max) return 'full'
  const [row] = await tx.query<PasskeyRow>(sql`
    insert into passkeys (id, person_id, name, public_key, counter, transports)
    values (${id}, ${personId}, ${name}, ${publicKey}, ${counter}, ${transports}::text[])
    on conflict (id) do nothing returning ${columns}`)
  return row ?? 'known'
}

/** False if the passkey was removed, or used with this counter, meanwhile. */
export async function recordPasskeyUse(
  db: Queries,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update passkeys set counter = ${to}, last_used_at = date_trunc('milliseconds', clock_timestamp())
    where id = ${id} and counter = ${from} returning id`)
  return rows.length === 1
}

interface Owned {
  readonly id: string
  readonly personId: string
}

export async function updatePasskeyName(
  db: Queries,
  { id, personId }: Owned,
  name: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`update passkeys set name = ${name} where id = ${id} and person_id = ${personId} returning id`,
  )
  return rows.length === 1
}

export async function deletePasskey(tx: ChangeTransaction, { id, personId }: Owned): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from passkeys where id = ${id} and person_id = ${personId} returning id`,
  )
  return rows.length === 1
}
