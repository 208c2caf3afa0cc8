import sql from 'sql-template-tag'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import type { Database, Queries, Statement } from '../../../db/database.ts'
import { withOrigin } from '../../../lib/action-origin.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { addAllToOutbox } from '../../../db/outbox.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { NewAnswer } from '../../site/custom-fields/store.ts'
import { isUnconditional, type RegistrationRules } from '../../site/settings/registration-rules.ts'
import { admission, type Admission } from '../registration/admission.ts'
import { takeCode } from '../registration/codes.ts'
import type { Collision } from '../teams/collision.ts'
import type { Mail } from './mail.ts'
import { firstCollision, insertTeams, readTaken } from '../teams/new-teams.ts'
import { declaredText, type Declaration } from '../tracks/rules.ts'

/** A registration that awaits email verification. Its id is the `verifyId` of the token in the email. */
export interface Registration {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly division: string
  /** Always 0, except for the first-admin link. */
  readonly perms: number
  /** The code that it was begun with. */
  readonly codeId?: string | null
  /** Answers to the fields of teams. */
  readonly fields?: readonly NewAnswer[] | null
  readonly declared?: Declaration | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface MailedRegistration {
  readonly registration: Registration
  readonly mail: Mail
}

// Deliberately not a valid address, so no registration can replace or collide with this row.
const RESERVED = 'first-admin '

/**
 * Stores registrations and queues their emails. A new registration replaces an earlier one with the same
 * address.
 */
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

/** Stores the row of the first-admin link and replaces any earlier one. */
export async function storeAdminRegistration(db: Database, registration: Registration): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteAdminRegistrations(tx)
    await upsert(tx, [{ ...registration, email: RESERVED + registration.email }])
  })
}

/**
 * Invalidates the first-admin link. Code that creates an admin in another way must call this in the same
 * transaction.
 */
export async function deleteAdminRegistrations(queries: Queries): Promise<void> {
  await queries.query(sql`delete from pending_registrations where perms <> 0`)
}

async function upsert(tx: Queries, registrations: readonly Registration[]): Promise<void> {
  const newest = new Map(registrations.map((row) => [row.email, row]))
  // Sorted, so that two batches with the same addresses lock rows in the same order and cannot deadlock.
  const rows = [...newest.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
  const column = <K extends keyof Registration>(key: K) => rows.map((row) => row[key])
  await tx.query(sql`
    insert into pending_registrations (id, email, name, division, perms, code_id, fields, declared, created_at, expires_at)
    select id, email, name, division, perms, code_id, fields::jsonb, declared,
      to_timestamp(created_at / 1000.0), to_timestamp(expires_at / 1000.0)
    from unnest(${column('id')}::text[], ${column('email')}::text[], ${column('name')}::text[],
      ${column('division')}::text[], ${column('perms')}::integer[],
      ${rows.map(({ codeId = null }) => codeId)}::text[], ${rows.map(storedFields)}::text[],
      ${rows.map(({ declared }) => declaredText(declared))}::jsonb[], ${column('createdAt')}::bigint[],
      ${column('expiresAt')}::bigint[])
      as t (id, email, name, division, perms, code_id, fields, declared, created_at, expires_at)
    on conflict (email) do update set id = excluded.id, name = excluded.name, division = excluded.division,
      perms = excluded.perms, code_id = excluded.code_id, fields = excluded.fields, declared = excluded.declared,
      created_at = excluded.created_at, expires_at = excluded.expires_at`)
}

/** As a column of texts, of which PostgreSQL makes JSON. */
function storedFields({ fields }: Pick<Registration, 'fields'>): string | null {
  return fields && fields.length > 0 ? JSON.stringify(fields) : null
}

type Row = Omit<Registration, 'createdAt' | 'expiresAt'> & { created_at: Date; expires_at: Date }

function registrationOf({
  id,
  email,
  name,
  division,
  perms,
  codeId = null,
  fields = null,
  declared = null,
  ...row
}: Row): Registration {
  const address = email.startsWith(RESERVED) ? email.slice(RESERVED.length) : email
  return {
    id,
    email: address,
    name,
    division,
    perms,
    codeId,
    fields,
    declared,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}

/**
 * Finds a registration that is not used, replaced or expired. The first-admin link is not found once any team
 * has permissions, however it got them: in a change transaction, this check ensures that no admin exists.
 */
export async function findRegistration(
  queries: Queries,
  id: string,
  now: number,
): Promise<Registration | null> {
  const [row] = await queries.query<Row>(sql`
    select id, email, name, division, perms, code_id as "codeId", fields, declared, created_at, expires_at
    from pending_registrations
    where id = ${id} and expires_at > to_timestamp(${now}::bigint / 1000.0)
      and (perms = 0 or not exists (select from teams where teams.perms <> 0))`)
  return row ? registrationOf(row) : null
}

/** More than are ever pending at once: registrations expire after an hour. */
const MAX_LISTED = 10_000

/**
 * Registrations that an admin can complete, newest first, without the first-admin link. Deletes expired ones.
 */
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
    order by created_at desc, id limit ${MAX_LISTED}`)
  return rows.map(registrationOf)
}

export type Completion =
  | { readonly teamId: string; readonly isFirstAdmin?: boolean }
  | Exclude<Admission, { readonly created: string }>

interface NewTeam {
  readonly id: string
  readonly name: string
  readonly division: string
  readonly perms: number
}

export type RecordAdmin = (team: NewTeam) => Statement

interface CompletionOptions {
  readonly now: number
  /**
   * Records the admin action in the same transaction. After a collision an admin may retry, whereas an
   * emailed link is used up. An admin cannot complete the first-admin registration.
   */
  readonly recordAdmin?: RecordAdmin
  /** Whoever opens a link is admitted by these; absent for organisers, who decide. */
  readonly rules?: RegistrationRules
}

/** Creates the team of a registration and deletes the row. Returns null if the row no longer exists. */
export async function completeRegistration(
  db: Database,
  id: string,
  { now, recordAdmin, rules }: CompletionOptions,
): Promise<Completion | null> {
  return await db.change(async (tx) => {
    const registration = await findRegistration(tx, id, now)
    if (!registration || (recordAdmin && registration.perms > 0)) return null
    const { perms, division, codeId = null, fields = null, declared = null } = registration
    if (rules && perms === 0 && !isUnconditional(rules)) {
      await tx.query(sql`delete from pending_registrations where id = ${id}`)
      const outcome = await admission(
        tx,
        { ...registration, codeId, fields, declared, extrankId: null },
        rules,
      )
      return 'created' in outcome ? { teamId: outcome.created } : outcome
    }
    const { name, email } = perms > 0 ? await freeIdentity(tx, registration) : registration
    const teamId = randomId()
    const [collision] = await insertTeams(tx, [
      { id: teamId, name, email, division, perms, extrankId: null, codeId, fields, declared },
    ])
    if (!collision || !recordAdmin) await tx.query(sql`delete from pending_registrations where id = ${id}`)
    // Organisers may complete it although the code has been used up since.
    if (!collision && codeId !== null) await takeCode(tx, codeId)
    const note = recordAdmin ?? (perms > 0 ? recordFirstAdmin : null)
    if (!collision && note) await tx.query(note({ id: teamId, name, division, perms }))
    return collision ? { collision } : { teamId, isFirstAdmin: perms > 0 }
  })
}

/** The link of the first admin is the only way to permissions without an organiser or the command line. */
function recordFirstAdmin({ id, ...team }: NewTeam): Statement {
  return withOrigin({ route: 'link of the first admin', requestId: null }, () =>
    recordAdminAction({
      actorId: id,
      ip: null,
      ...loggedChange(null, team),
      action: 'organiser.create',
      target: id,
    }),
  )
}

/**
 * Finds a free name and address similar to the given ones. The first-admin link must work even if another
 * team has taken them since it was printed.
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
  if (!free) throw new Error('found no free name for the first admin')
  return { name: free.name, email: free.email }
}
