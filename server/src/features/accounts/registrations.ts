import sql from 'sql-template-tag'
import type { Database, Queries, Statement } from '../../db/database.ts'
import { addAllToOutbox } from '../../db/outbox.ts'
import { randomId } from '../../lib/uuid.ts'
import type { Collision } from '../teams/collision.ts'
import type { Mail } from './mail.ts'
import { firstCollision, insertTeams, readTaken } from './new-teams.ts'

/** A registration that waits for its mail. Its id is the `verifyId` of the token in that mail. */
export interface Registration {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly division: string
  /** 0, but for the sign-in link of the first admin. */
  readonly perms: number
  readonly createdAt: number
  readonly expiresAt: number
}

export interface MailedRegistration {
  readonly registration: Registration
  readonly mail: Mail
}

// Not an address on purpose: nobody can register it, hence neither replace nor collide with such a row.
const RESERVED = 'first-admin '

/** Stores registrations and their mails. The newest one of an address replaces the earlier ones. */
export async function storeRegistrations(
  db: Database,
  items: readonly MailedRegistration[],
): Promise<(Collision | null)[]> {
  return await db.transaction(async (tx) => {
    const identities = items.map(({ registration: { name, email } }) => ({ name, email, extrankId: null }))
    const taken = await readTaken(tx, identities)
    const collisions = identities.map((identity) => firstCollision(identity, taken))
    const free = items.filter((_, at) => collisions[at] === null)
    if (free.length > 0) {
      await upsert(
        tx,
        free.map(({ registration }) => registration),
      )
      await tx.query(
        addAllToOutbox(
          'mail',
          free.map(({ mail }) => mail),
        ),
      )
    }
    return collisions
  })
}

/** Stores the row whose link makes an admin, in place of an earlier one. */
export async function storeAdminRegistration(db: Database, registration: Registration): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`delete from pending_registrations where perms <> 0`)
    await upsert(tx, [{ ...registration, email: RESERVED + registration.email }])
  })
}

async function upsert(tx: Queries, registrations: readonly Registration[]): Promise<void> {
  const newest = new Map(registrations.map((row) => [row.email, row]))
  // One order for all writers, so that two batches with the same addresses cannot wait for each other.
  const rows = [...newest.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
  const column = <K extends keyof Registration>(key: K) => rows.map((row) => row[key])
  await tx.query(sql`
    insert into pending_registrations (id, email, name, division, perms, created_at, expires_at)
    select id, email, name, division, perms,
      to_timestamp(created_at / 1000.0), to_timestamp(expires_at / 1000.0)
    from unnest(${column('id')}::text[], ${column('email')}::text[], ${column('name')}::text[],
      ${column('division')}::text[], ${column('perms')}::integer[], ${column('createdAt')}::bigint[],
      ${column('expiresAt')}::bigint[]) as t (id, email, name, division, perms, created_at, expires_at)
    on conflict (email) do update set id = excluded.id, name = excluded.name, division = excluded.division,
      perms = excluded.perms, created_at = excluded.created_at, expires_at = excluded.expires_at`)
}

type Row = Omit<Registration, 'createdAt' | 'expiresAt'> & { created_at: Date; expires_at: Date }

function registrationOf({ id, email, name, division, perms, ...row }: Row): Registration {
  const address = email.startsWith(RESERVED) ? email.slice(RESERVED.length) : email
  return {
    id,
    email: address,
    name,
    division,
    perms,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}

/** The registration, unless it is used, replaced or expired. */
export async function findRegistration(
  queries: Queries,
  id: string,
  now: number,
): Promise<Registration | null> {
  const [row] = await queries.query<Row>(sql`
    select id, email, name, division, perms, created_at, expires_at from pending_registrations
    where id = ${id} and expires_at > to_timestamp(${now}::bigint / 1000.0)`)
  return row ? registrationOf(row) : null
}

/** More than wait at once: they live for an hour. */
const MOST_LISTED = 10_000

/** What an admin may complete, newest first: without the link of the first admin. Expired ones leave the table. */
export async function listRegistrations(db: Database, now: number): Promise<Registration[]> {
  const rows = await db.query<Row>(sql`
    with expired as (
      -- Several at once do not wait for each other.
      delete from pending_registrations where id in (
        select id from pending_registrations
        where expires_at <= to_timestamp(${now}::bigint / 1000.0) for update skip locked)
    )
    select id, email, name, division, perms, created_at, expires_at from pending_registrations
    where expires_at > to_timestamp(${now}::bigint / 1000.0) and perms = 0
    order by created_at desc, id limit ${MOST_LISTED}`)
  return rows.map(registrationOf)
}

export type Completion = { readonly teamId: string } | { readonly collision: Collision }

interface CompletionOptions {
  readonly now: number
  /**
   * Notes the deed when an admin does it, in the same transaction. An admin may try again after a collision, while a
   * mailed link is used up; and an admin never completes the link that makes one.
   */
  readonly noteAdmin?: (teamId: string) => Statement
}

/** Makes the team of a registration and uses the row up. Null when there is no such row any more. */
export async function completeRegistration(
  db: Database,
  id: string,
  { now, noteAdmin }: CompletionOptions,
): Promise<Completion | null> {
  return await db.change(async (tx) => {
    const registration = await findRegistration(tx, id, now)
    if (!registration || (noteAdmin && registration.perms > 0)) return null
    const { perms, division } = registration
    const { name, email } = perms > 0 ? await freeIdentity(tx, registration) : registration
    const teamId = randomId()
    const [collision] = await insertTeams(tx, [{ id: teamId, name, email, division, perms, extrankId: null }])
    if (!collision || !noteAdmin) await tx.query(sql`delete from pending_registrations where id = ${id}`)
    if (!collision && noteAdmin) await tx.query(noteAdmin(teamId))
    return collision ? { collision } : { teamId }
  })
}

/**
 * A name and address that no team has, like those given. The link of the first admin must work even when somebody
 * has taken them since it was printed.
 */
export async function freeIdentity(
  queries: Queries,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<{ name: string; email: string }> {
  const suffixes = ['', '-2', '-3', `-${randomId().slice(0, 8)}`]
  const candidates = suffixes.map((suffix) => ({
    name: name + suffix,
    email: email.replace('@', `${suffix}@`),
    extrankId: null,
  }))
  const taken = await readTaken(queries, candidates)
  const free = candidates.find((candidate) => firstCollision(candidate, taken) === null)
  if (!free) throw new Error('no free name for the first admin')
  return { name: free.name, email: free.email }
}
