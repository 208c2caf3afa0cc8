import type { RECOVERY_CODES } from '@pennant/contract/second-factor.ts'
import { needsSecondFactor } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import type { PersonActor } from '../../../http/handler.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { millis } from '../../../world/rows.ts'
import { newJoinCode } from '../persons/membership.ts'
import { hadFactor } from '../persons/organiser-store.ts'
import { hasSecondFactor, permissionsOf } from '../persons/permissions.ts'
import { personRows } from '../persons/rows.ts'
import type { SignInContext } from './deps.ts'

type Rule = Pick<SignInContext, 'world' | 'demanded'>

/** Whether the permissions of a person need a second factor. */
export function isDemandedOf({ world, demanded }: Rule, personId: string): boolean {
  const person = world().rows(personRows).find(personId)
  const team = person && person.teamId !== null ? world().team(person.teamId) : undefined
  if (!person || !team) return false
  return needsSecondFactor(permissionsOf(team, { person, isConfirmed: true }, demanded).perms, demanded)
}

/**
 * Whether the session needs a second factor before it changes what can be one: without, whoever has the first factor of someone
 * would add a second. The first one is added without.
 */
export async function mustConfirm(
  context: Rule & { readonly db: Queries },
  { id, methods }: PersonActor,
): Promise<boolean> {
  if (hasSecondFactor(methods) || !isDemandedOf(context, id)) return false
  return await hasHadFactor(context.db, id)
}

/** Since the last reset, which ends all sessions. */
export async function hasHadFactor(db: Queries, personId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    sql`select ${hadFactor} as found from persons p where id = ${personId}`,
  )
  return row?.found ?? false
}

/** Replaces all recovery codes of a person. Returns them in clear, once. */
export async function renewCodes(
  tx: ChangeTransaction,
  personId: string,
  count: typeof RECOVERY_CODES,
): Promise<string[]> {
  const codes = Array.from({ length: count }, newJoinCode)
  await tx.query(sql`delete from recovery_codes where person_id = ${personId}`)
  await tx.query(sql`
    insert into recovery_codes (hash, person_id)
    select hash, ${personId} from unnest(${codes.map(secretHash)}::bytea[]) as hash`)
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

/** False if it is not a code of the person, or no longer. */
export async function takeCode(db: Queries, personId: string, code: string): Promise<boolean> {
  const rows = await db.query(sql`
    delete from recovery_codes where hash = ${secretHash(code)} and person_id = ${personId} returning person_id`)
  return rows.length === 1
}

export async function countCodes(db: Queries, personId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from recovery_codes where person_id = ${personId}`,
  )
  return row?.count ?? 0
}

interface Raised {
  readonly methods: string[]
  readonly createdAt: number
  readonly expiresAt: number
}

/** Records another method of a session. Null if the session no longer exists. */
export async function addMethod(db: Queries, sessionId: string, method: string): Promise<Raised | null> {
  const [row] = await db.query<Raised>(sql`
    update person_sessions set methods = array_append(array_remove(methods, ${method}), ${method})
    where id = ${sessionId} and ended_at is null
    returning methods, ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "expiresAt"`)
  return row ?? null
}
