import { randomBytes } from 'node:crypto'
import { teamNameKey } from '@pennant/contract/fields.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { NewAnswer } from '../../site/custom-fields/store.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import type { Collision } from '../teams/collision.ts'
import { firstCollision, insertTeams, readTaken, type Identity } from '../teams/new-teams.ts'
import { findUsableCode, takeCode, type Code } from './codes.ts'
import { declaredText, type Declaration } from '../tracks/rules.ts'

/** A team that someone other than an organiser wants to create. */
export interface Applicant {
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly extrankId: string | null
  /** Of a code that was accepted when the registration began. */
  readonly codeId: string | null
  /** Answers to the fields of teams. */
  readonly fields: readonly NewAnswer[] | null
  readonly declared: Declaration | null
}

/** `code`: without one that can be used. `full`: without a place, and without a waiting list. */
export type AdmissionRefusal = 'code' | 'full'

export interface Waiting {
  readonly waitsFor: 'approval' | 'place'
  /** The secret of the applicant's link. */
  readonly token: string
}

export type Admission =
  | { readonly created: string }
  | { readonly waiting: Waiting }
  | { readonly collision: Collision }
  | { readonly refused: AdmissionRefusal }

/** A queue that organisers can still work through. Anyone can add to it. */
const MAX_WAITING = 10_000

/** The code of a registration; null without one, and undefined if there must be one and it cannot be used. */
export async function acceptedCode(
  db: Queries,
  {
    code,
    rules,
    now,
  }: { readonly code: string | undefined; readonly rules: RegistrationRules; readonly now: number },
): Promise<Pick<Code, 'id' | 'division'> | null | undefined> {
  return rules.mode === 'code' ? ((await findUsableCode(db, code, now)) ?? undefined) : null
}

/**
 * Decides about a would-be team and stores the decision: it becomes a team, waits, or is refused. All ways in which a team
 * is born call this, except those of organisers. The change lock makes the decisions one after the other. The caller has
 * checked that registration is open: a registration that was begun in time may end later.
 */
export async function admission(
  tx: ChangeTransaction,
  applicant: Applicant,
  rules: RegistrationRules,
): Promise<Admission> {
  const { codeId, fields: _, declared: _declared, ...identity } = applicant
  const known = firstCollision(identity, await readTaken(tx, [identity]))
  if (known) return { collision: known }
  const waitsFor = rules.mode === 'approval' ? 'approval' : 'place'
  const hasPlace = await isPlaceFree(tx, rules)
  const waits = rules.mode === 'approval' || !hasPlace
  if (!hasPlace && !rules.waitingList) return { refused: 'full' }
  if (waits) {
    const refusal = await waitingRefusal(tx, identity)
    if (refusal) return refusal
  }
  if (rules.mode === 'code' && (codeId === null || !(await takeCode(tx, codeId)))) return { refused: 'code' }
  if (waits) return { waiting: await addRequest(tx, applicant, waitsFor) }
  const id = randomId()
  const [collision] = await insertTeams(tx, [{ ...applicant, id, perms: 0 }])
  return collision ? { collision } : { created: id }
}

/** Those who wait come first, until the worker has given them the free places. */
async function isPlaceFree(tx: Queries, { maxTeams }: RegistrationRules): Promise<boolean> {
  if (await isAnyoneWaitingForPlace(tx)) return false
  return maxTeams === null || (await countTeams(tx)) < maxTeams
}

export async function isAnyoneWaitingForPlace(db: Queries): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from registration_requests where state = 'waiting' and waits_for = 'place' limit 1`,
  )
  return rows.length > 0
}

/** Teams of players that take a place. */
export async function countTeams(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from teams where perms = 0 and not banned`,
  )
  return row?.count ?? 0
}

/** Whether there is neither a place nor a waiting list, before a mail is sent. */
export async function isFull(db: Queries, { maxTeams, waitingList }: RegistrationRules): Promise<boolean> {
  return maxTeams !== null && !waitingList && (await countTeams(db)) >= maxTeams
}

/** Two requests for one name could not both be approved. */
async function waitingRefusal(tx: Queries, { name, email, extrankId }: Identity): Promise<Admission | null> {
  const rows = await tx.query<Identity>(sql`
    select name, email, extrank_id as "extrankId" from registration_requests
    where state = 'waiting' and (lower(regexp_replace(name, ' +', ' ', 'g')) = ${teamNameKey(name)}
      or email = ${email} or extrank_id = ${extrankId})`)
  if (rows.some((row) => teamNameKey(row.name) === teamNameKey(name))) return { collision: 'name' }
  if (rows.length > 0) return { collision: rows.some((row) => row.email === email) ? 'email' : 'extrankId' }
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from registration_requests where state = 'waiting'`,
  )
  return (row?.count ?? 0) >= MAX_WAITING ? { refused: 'full' } : null
}

async function addRequest(
  tx: Queries,
  { name, email, division, extrankId, codeId, fields, declared }: Applicant,
  waitsFor: Waiting['waitsFor'],
): Promise<Waiting> {
  const token = randomBytes(32).toString('base64url')
  await tx.query(sql`
    insert into registration_requests (id, name, email, division, extrank_id, code_id, fields, declared, waits_for, token_hash)
    values (${randomId()}, ${name}, ${email}, ${division}, ${extrankId}, ${codeId},
      ${fields && fields.length > 0 ? JSON.stringify(fields) : null}, ${declaredText(declared)}::jsonb,
      ${waitsFor}, ${secretHash(token)})`)
  return { waitsFor, token }
}
