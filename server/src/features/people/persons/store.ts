import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { orderedId } from '../../../lib/uuid.ts'
import { personRows, type PersonRow } from './rows.ts'

export interface NewPerson {
  readonly name: string
  /** Proved, in lower case. */
  readonly email: string | null
}

/** Creates a person in no team. Returns null if another person has the address. */
export async function insertPerson(
  tx: ChangeTransaction,
  { name, email }: NewPerson,
): Promise<string | null> {
  const id = orderedId()
  const rows = await tx.query(sql`
    insert into persons (id, name, email) values (${id}, ${name}, ${email})
    on conflict (email) do nothing returning id`)
  if (rows.length === 0) return null
  tx.changed(personRows, [id])
  return id
}

export interface NewSession {
  readonly personId: string
  readonly methods: readonly string[]
  /** As the browser names itself. */
  readonly browser: string
  readonly ip: string | null
  /** Unix milliseconds in whole seconds, as in the token. */
  readonly createdAt: number
  readonly expiresAt: number
}

const MAX_BROWSER = 300

/** Stores a session and returns its id. */
export async function insertSession(db: Queries, session: NewSession): Promise<string> {
  const id = orderedId()
  const { personId, methods, browser, ip, createdAt, expiresAt } = session
  await db.query(sql`
    insert into person_sessions (id, person_id, methods, browser, ip, created_at, last_used_at, expires_at)
    values (${id}, ${personId}, ${methods}::text[], ${browser.slice(0, MAX_BROWSER)}, ${ip},
      to_timestamp(${createdAt} / 1000.0), to_timestamp(${createdAt} / 1000.0), to_timestamp(${expiresAt} / 1000.0))`)
  return id
}

/**
 * A place is not yet permissions: in a team with some, its owners give them to each person. Locks nothing: every change of persons holds the change lock.
 */
export async function placeInTeam(
  tx: ChangeTransaction,
  {
    id,
    teamId,
    isCaptain,
    at,
  }: Pick<PersonRow, 'id' | 'isCaptain'> & { readonly teamId: string; readonly at: number },
): Promise<void> {
  await tx.query(sql`
    update persons set team_id = ${teamId}, is_captain = ${isCaptain}, joined_at = to_timestamp(${at} / 1000.0),
      perms = (select 0 from teams where id = ${teamId} and perms <> 0)
    where id = ${id}`)
  tx.changed(personRows, [id])
}
