import type { organiserPeopleLimits } from '@pennant/contract/organiser-people.ts'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { millis } from '../../../world/rows.ts'
import { findPerson } from './membership.ts'
import { FACTORS } from './permissions.ts'
import { endedSessionRows, personRows, type PersonRow } from './rows.ts'
import { insertPerson, placeInTeam } from './store.ts'

// People of organisers' teams, as their owners change them.

/** Whether a person has had a second factor since the last reset, which ends all sessions. For a row `p` of `persons`. */
export const hadFactor = sql`(
  exists (select 1 from passkeys where person_id = p.id)
  or exists (select 1 from recovery_codes where person_id = p.id)
  or exists (select 1 from person_sessions s where s.person_id = p.id and s.methods && ${FACTORS}::text[]
    and s.created_at >= coalesce(p.sessions_valid_from, s.created_at)))`

interface Organiser {
  readonly name: string
  readonly perms: number | null
  readonly teamPerms: number
  readonly hasFactor: boolean
}

/** Up to 1,000 people in teams with permissions. */
export function readOrganisers(db: Queries): Promise<Organiser[]> {
  return db.query<Organiser>(sql`
    select p.name, p.perms, t.perms as "teamPerms", ${hadFactor} as "hasFactor"
    from persons p join teams t on t.id = p.team_id where t.perms <> 0 order by p.name, p.id limit 1000`)
}

interface Factors {
  readonly id: string
  readonly passkeys: number
  readonly recoveryCodes: number
}

export function countFactors(db: Queries, personIds: readonly string[]): Promise<Factors[]> {
  return db.query<Factors>(sql`
    select p.id, (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys,
      (select count(*)::int from recovery_codes c where c.person_id = p.id) as "recoveryCodes"
    from persons p where p.id = any(${personIds}::text[])`)
}

interface NewOrganiser {
  readonly name: string
  readonly teamId: string
  readonly perms: number | null
  readonly now: number
  readonly maxTeamSize: number
}

/** Null if the team is full. */
export async function addOrganiser(
  tx: ChangeTransaction,
  { name, teamId, perms, now, maxTeamSize }: NewOrganiser,
  by: ActionBy,
): Promise<string | null> {
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from persons where team_id = ${teamId}`,
  )
  if (count >= maxTeamSize) return null
  const id = await insertPerson(tx, { name, email: null })
  if (id === null) throw new Error('a person without an address collided')
  await placeInTeam(tx, { id, teamId, isCaptain: false, at: now })
  await tx.query(sql`update persons set perms = ${perms} where id = ${id}`)
  const change = loggedChange(null, { name, teamId, perms })
  await tx.query(recordAdminAction({ ...by, ...change, action: 'organiser.add-person', target: id }))
  return id
}

export async function findOrganiser(tx: Queries, id: string): Promise<PersonRow | null> {
  const row = await findPerson(tx, id)
  if (row?.teamId == null) return null
  const [team] = await tx.query(sql`select 1 from teams where id = ${row.teamId} and perms <> 0 for share`)
  return team ? row : null
}

/** False if the person is in no team with permissions. */
export async function setPersonPerms(
  tx: ChangeTransaction,
  { id, perms }: { readonly id: string; readonly perms: number | null },
  by: ActionBy,
): Promise<boolean> {
  const before = await findOrganiser(tx, id)
  if (!before) return false
  await tx.query(sql`update persons set perms = ${perms} where id = ${id}`)
  tx.changed(personRows, [id])
  const change = loggedChange({ perms: before.perms }, { perms })
  await tx.query(
    recordAdminAction({ ...by, ...change, action: 'organiser.set-person', target: id, keys: ['perms'] }),
  )
  return true
}

/** Whoever lost every factor begins again: with the first factor and a new passkey. */
export async function removeFactors(
  tx: ChangeTransaction,
  { id, now }: { readonly id: string; readonly now: number },
  by: ActionBy,
): Promise<boolean> {
  if (!(await findOrganiser(tx, id))) return false
  await tx.query(sql`delete from passkeys where person_id = ${id}`)
  await tx.query(sql`delete from recovery_codes where person_id = ${id}`)
  await endSessionsOf(tx, id, now)
  await tx.query(recordAdminAction({ ...by, action: 'organiser.reset-second-factor', target: id }))
  return true
}

/** All sessions and links of a person. */
export async function endSessionsOf(tx: ChangeTransaction, id: string, now: number): Promise<void> {
  // Tokens are dated in whole seconds, so one of this second could be from just before or after.
  const validFrom = Math.floor(now / 1000) + 1
  await tx.query(sql`update persons set sessions_valid_from = to_timestamp(${validFrom}) where id = ${id}`)
  await tx.query(sql`
    update person_sessions set ended_at = to_timestamp(${now} / 1000.0) where person_id = ${id} and ended_at is null`)
  tx.changed(personRows, [id])
}

interface StoredSession {
  readonly id: string
  readonly personId: string
  readonly methods: string[]
  readonly browser: string
  readonly ip: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}

const ofOrganisers = (now: number) => sql`
  s.ended_at is null and s.expires_at > to_timestamp(${now}::float8 / 1000)
  and s.created_at >= coalesce(p.sessions_valid_from, s.created_at) and t.perms <> 0`

export function listOrganiserSessions(
  db: Queries,
  now: number,
  limit: typeof organiserPeopleLimits.sessions,
): Promise<StoredSession[]> {
  return db.query<StoredSession>(sql`
    select s.id, s.person_id as "personId", s.methods, s.browser, s.ip, ${millis('s.created_at')} as "createdAt",
      ${millis('s.last_used_at')} as "lastUsedAt", ${millis('s.expires_at')} as "expiresAt"
    from person_sessions s join persons p on p.id = s.person_id join teams t on t.id = p.team_id
    where ${ofOrganisers(now)} order by s.last_used_at desc, s.id desc limit ${limit}`)
}

/** False if no organiser has it, or no longer. */
export async function endOrganiserSession(
  tx: ChangeTransaction,
  { id, now }: { readonly id: string; readonly now: number },
  by: ActionBy,
): Promise<boolean> {
  const [row] = await tx.query<{ personId: string }>(sql`
    update person_sessions s set ended_at = to_timestamp(${now}::float8 / 1000)
    from persons p join teams t on t.id = p.team_id
    where s.id = ${id} and p.id = s.person_id and ${ofOrganisers(now)} returning s.person_id as "personId"`)
  if (!row) return false
  tx.changed(endedSessionRows, [id])
  await tx.query(recordAdminAction({ ...by, action: 'organiser.end-session', target: row.personId }))
  return true
}
