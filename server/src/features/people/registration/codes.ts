import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { randomId } from '../../../lib/uuid.ts'

/** Of Crockford: no I, L, O and U, so that a printed code is read in one way. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits. */
const LENGTH = 16
/** Codes that can still be used. Organisers read the list in pages, and print it. */
const MAX_USABLE = 50_000

export interface Code {
  readonly id: string
  readonly code: string
  readonly label: string
  /** Null: the division of the address. */
  readonly division: string | null
  readonly maxUses: number
  readonly uses: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly createdAt: number
}

export type NewCodes = Pick<Code, 'label' | 'division' | 'expiresAt'> & {
  readonly amount: number
  readonly uses: number
}

const columns = sql`id, code, label, division, max_uses as "maxUses", uses,
  (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
  (extract(epoch from revoked_at) * 1000)::float8 as "revokedAt",
  (extract(epoch from created_at) * 1000)::float8 as "createdAt"`

const isUsable = (now: number) => sql`revoked_at is null and uses < max_uses
  and (expires_at is null or expires_at > to_timestamp(${now}::float8 / 1000))`

function createCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return letters.join('').replaceAll(/(.{4})(?!$)/g, '$1-')
}

/** People type codes: case, spaces and hyphens do not matter, and O is 0. */
function hashOf(code: string): Buffer {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return secretHash(plain)
}

/** A code that a team could be created with now. */
export async function findUsableCode(
  db: Queries,
  code: string | undefined,
  now: number,
): Promise<Pick<Code, 'id' | 'division'> | null> {
  if (code === undefined) return null
  const [row] = await db.query<Pick<Code, 'id' | 'division'>>(
    sql`select id, division from registration_codes where code_hash = ${hashOf(code)} and ${isUsable(now)}`,
  )
  return row ?? null
}

/**
 * Uses a code once, in the transaction that creates the team. False if it has no use left or was revoked. Its end does not
 * matter: the registration was begun before it.
 */
export async function takeCode(tx: Queries, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update registration_codes set uses = uses + 1
    where id = ${id} and uses < max_uses and revoked_at is null returning 1`)
  return rows.length === 1
}

/** Of requests that were refused. */
export async function returnCodes(tx: Queries, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update registration_codes set uses = uses - given.count
    from (select id, count(*)::int as count from unnest(${ids}::text[]) as t (id) group by id) as given
    where registration_codes.id = given.id`)
}

export async function listCodes(db: Queries, { limit, offset }: { limit: number; offset: number }) {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from registration_codes`,
  )
  const codes = await db.query<Code>(sql`
    select ${columns} from registration_codes order by created_at desc, id limit ${limit} offset ${offset}`)
  return { total: count?.total ?? 0, codes }
}

/** Null if there are too many already. */
export async function createCodes(
  db: Database,
  { amount, uses, division, expiresAt, label }: NewCodes,
  { now, ...by }: ActionBy & { readonly now: number },
): Promise<Code[] | null> {
  const codes = Array.from({ length: amount }, createCode)
  return await db.transaction(async (tx) => {
    const [usable] = await tx.query<{ count: number }>(
      sql`select count(*)::int as count from registration_codes where ${isUsable(now)}`,
    )
    if ((usable?.count ?? 0) + amount > MAX_USABLE) return null
    const created = await tx.query<Code>(sql`
      insert into registration_codes (id, code, code_hash, label, division, max_uses, expires_at)
      select id, code, hash, ${label}, ${division}, ${uses}, to_timestamp(${expiresAt}::float8 / 1000)
      from unnest(${codes.map(() => randomId())}::text[], ${codes}::text[], ${codes.map((code) => hashOf(code))}::bytea[]) as t (id, code, hash)
      returning ${columns}`)
    const change = loggedChange(null, { amount, uses, division, expiresAt, label })
    await tx.query(recordAdminAction({ ...by, ...change, action: 'registration.codes', target: null }))
    return created
  })
}

/** Returns how many were not revoked before. */
export async function revokeCodes(db: Database, ids: readonly string[], by: ActionBy): Promise<number> {
  return await db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string }>(sql`
      update registration_codes set revoked_at = date_trunc('milliseconds', clock_timestamp())
      where id = any(${ids}::text[]) and revoked_at is null returning id`)
    const change = loggedChange(null, { codes: rows.map(({ id }) => id) })
    if (rows.length > 0)
      await tx.query(recordAdminAction({ ...by, ...change, action: 'registration.revoke', target: null }))
    return rows.length
  })
}

/** Whether anyone could register with a code now. */
export async function hasUsableCode(db: Queries, now: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from registration_codes where ${isUsable(now)} limit 1`)
  return rows.length > 0
}
