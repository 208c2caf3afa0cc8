import type { MAX_SESSIONS } from '@pennant/contract/sessions.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { millis } from '../../../world/rows.ts'
import { endedSessionRows, personRows } from '../persons/rows.ts'

/** A person with the ways to sign in, read from the database: sign-ins are rare, and must not be stale. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly teamId: string | null
  /** Unix milliseconds; null without a personal link. */
  readonly linkFrom: number | null
  readonly sessionsValidFrom: number
}

const account = sql`
  select id, name, email, team_id as "teamId", ${millis('personal_link_from')} as "linkFrom",
    coalesce(${millis('sessions_valid_from')}, 0) as "sessionsValidFrom"
  from persons`

export async function findAccount(db: Queries, id: string): Promise<Account | null> {
  const [found] = await db.query<Account>(sql`${account} where id = ${id}`)
  return found ?? null
}

export async function findByEmail(db: Queries, email: string): Promise<Account | null> {
  const [found] = await db.query<Account>(sql`${account} where email = ${email}`)
  return found ?? null
}

/** Returns false if another person has the address. */
export async function setEmail(
  tx: ChangeTransaction,
  { id, email }: { readonly id: string; readonly email: string | null },
): Promise<boolean> {
  const [other] = await tx.query(sql`select 1 from persons where email = ${email} and id <> ${id}`)
  if (other) return false
  await tx.query(sql`update persons set email = ${email} where id = ${id}`)
  tx.changed(personRows, [id])
  return true
}

export async function setLinkFrom(db: Queries, id: string, at: number | null): Promise<void> {
  await db.query(
    sql`update persons set personal_link_from = to_timestamp(${at}::float8 / 1000) where id = ${id}`,
  )
}

export interface SessionRow {
  readonly id: string
  readonly methods: string[]
  readonly browser: string
  readonly ip: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}

interface OfPerson {
  readonly personId: string
  readonly now: number
}

const running = ({ personId, now }: OfPerson) => sql`
  person_id = ${personId} and ended_at is null and expires_at > to_timestamp(${now}::float8 / 1000)
  and created_at >= coalesce((select sessions_valid_from from persons where id = person_id), created_at)`

export function listSessions(db: Queries, of: OfPerson, limit: typeof MAX_SESSIONS): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select id, methods, browser, ip, ${millis('created_at')} as "createdAt",
      ${millis('last_used_at')} as "lastUsedAt", ${millis('expires_at')} as "expiresAt"
    from person_sessions where ${running(of)} order by last_used_at desc, id desc limit ${limit}`)
}

/** Ends one session, or all but one. Returns how many. */
export async function endSessions(
  tx: ChangeTransaction,
  of: OfPerson & ({ readonly only: string } | { readonly except: string }),
): Promise<number> {
  const which = 'only' in of ? sql`id = ${of.only}` : sql`id <> ${of.except}`
  const rows = await tx.query<{ id: string }>(sql`
    update person_sessions set ended_at = to_timestamp(${of.now}::float8 / 1000)
    where ${running(of)} and ${which} returning id`)
  return recordEnded(tx, rows)
}

/** Ends the oldest sessions of a person who has more than `keep`. */
export async function endOldest(tx: ChangeTransaction, of: OfPerson, keep: number): Promise<number> {
  const rows = await tx.query<{ id: string }>(sql`
    update person_sessions set ended_at = to_timestamp(${of.now}::float8 / 1000)
    where id in (
      select id from person_sessions where ${running(of)} order by created_at desc, id desc offset ${keep}
    ) returning id`)
  return recordEnded(tx, rows)
}

function recordEnded(tx: ChangeTransaction, rows: readonly { readonly id: string }[]): number {
  if (rows.length > 0)
    tx.changed(
      endedSessionRows,
      rows.map(({ id }) => id),
    )
  return rows.length
}

export async function countSessions(db: Queries, of: OfPerson): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from person_sessions where ${running(of)}`,
  )
  return row?.count ?? 0
}

export async function recordUse(db: Queries, ids: readonly string[], at: number): Promise<void> {
  await db.query(sql`
    update person_sessions set last_used_at = to_timestamp(${at}::float8 / 1000)
    where id = any(${ids}) and last_used_at < to_timestamp(${at}::float8 / 1000)`)
}
