import sql, { join, raw, type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { keyIn } from '../avatars/keys.ts'
import { findPerson } from '../persons/membership.ts'
import type { PersonRow } from '../persons/rows.ts'
import { isOwnTokenRefused, signOutEverywhere } from '../teams/token-validity.ts'
import { personalTables } from './declared.ts'
import type { PersonalTable } from './table.ts'

interface Part {
  readonly rows: Sql
  readonly erased: 'row' | Sql
}

/** Erases the rows and reports them as changed. Returns how many there were. */
export async function erase(
  tx: Queries & Partial<Pick<ChangeTransaction, 'changed'>>,
  { name, changed }: PersonalTable,
  { rows, erased }: Part,
): Promise<number> {
  const table = raw(name)
  const returned = changed ? sql`${changed.key} as key` : sql`1`
  const found = await tx.query<{ key: string }>(
    erased === 'row'
      ? sql`delete from ${table} where ${rows} returning ${returned}`
      : sql`update ${table} set ${erased} where ${rows} returning ${returned}`,
  )
  if (changed && found.length > 0) tx.changed?.(changed.kind, [...new Set(found.map(({ key }) => key))])
  return found.length
}

async function eraseAllOf(tx: ChangeTransaction, owner: 'team' | 'person', id: string): Promise<void> {
  for (const table of personalTables) {
    const share = table[owner]
    if (share?.deletion) await erase(tx, table, { rows: share.rows(id), erased: share.deletion })
  }
}

function resultsOf(id: string): Sql[] {
  return personalTables.flatMap(({ name, isResult, team }) =>
    isResult && team ? [sql`exists (select from ${raw(name)} where ${team.rows(id)})`] : [],
  )
}

interface TeamErasure {
  readonly id: string
  readonly now: number
  /** What the caller wrote to confirm; absent for organisers. */
  readonly name?: string
}

/** Who acts, for the action log; absent for the team or person itself, of whom nothing is left there. */
type By = ActionBy | undefined
const ITSELF = { actorId: null, ip: null, actorName: 'own request', isAnonymous: true } as const

interface TeamRow {
  readonly name: string
  readonly perms: number
  readonly avatarUrl: string | null
  readonly isKept: boolean
}

/**
 * Deletes a team with its personal data. If it has points, an anonymous row stays, so that the results of others are the same, to the
 * byte. No token of it is valid any more, and its people are in no team.
 */
export async function eraseTeam(
  tx: ChangeTransaction,
  { id, now, name }: TeamErasure,
  by?: By,
): Promise<'gone' | 'privileged' | 'name' | { readonly isKept: boolean }> {
  const [team] = await tx.query<TeamRow>(sql`
    select name, perms, avatar_url as "avatarUrl", ${join(resultsOf(id), ' or ')} as "isKept"
    from teams where id = ${id} for update`)
  if (!team) return 'gone'
  if (team.perms !== 0) return 'privileged'
  if (name !== undefined && name !== team.name) return 'name'
  const { isKept, avatarUrl } = team
  const key = keyIn(id, avatarUrl)
  if (key !== null) await tx.query(addToOutbox('file', { key }))
  await eraseAllOf(tx, 'team', id)
  if (isKept) await signOutEverywhere(tx, { id, now })
  else {
    await tx.query(sql`delete from teams where id = ${id}`)
    tx.changed('teams', [id])
  }
  await tx.query(
    recordAdminAction({ ...(by ?? ITSELF), action: isKept ? 'team.erase' : 'team.delete', target: id }),
  )
  return { isKept }
}

export interface PersonErasure {
  readonly id: string
  readonly now: number
  /** What the caller wrote to confirm. */
  readonly name: string
  /** The team may be deleted as well. */
  readonly withTeam: boolean
  /** Tokens of teams without permissions are refused. */
  readonly isPersonRequired: boolean
}

/** Deletes a person on their own request, and the team that no one else can sign in to. */
export async function eraseSelf(
  tx: ChangeTransaction,
  { id, now, name, withTeam, isPersonRequired }: PersonErasure,
): Promise<'done' | 'gone' | 'name' | 'hand-over' | 'last' | 'privileged'> {
  const person = await findPerson(tx, id)
  if (!person) return 'gone'
  if (person.name !== name) return 'name'
  const { teamId } = person
  if (teamId !== null) {
    const place = await placeOf(tx, person, isPersonRequired)
    if (place === 'hand-over') return place
    if (place === 'last') {
      if (!withTeam) return place
      const outcome = await eraseTeam(tx, { id: teamId, now })
      if (outcome === 'privileged') return outcome
    }
  }
  await erasePerson(tx, id)
  return 'done'
}

/** Deletes a person with their personal data, and what the action log says of them. */
export async function erasePerson(tx: ChangeTransaction, id: string, by?: By): Promise<void> {
  await eraseAllOf(tx, 'person', id)
  await tx.query(recordAdminAction({ ...(by ?? ITSELF), action: 'person.delete', target: id }))
}

/** `last`: no one could sign in to the team without this person. */
async function placeOf(
  tx: Queries,
  { id, teamId, isCaptain }: PersonRow,
  isPersonRequired: boolean,
): Promise<'hand-over' | 'last' | 'free'> {
  const [team] = await tx.query<{
    perms: number
    tokenOff: boolean
    hasOthers: boolean
    hasWay: boolean
  }>(sql`
    select perms, token_off as "tokenOff", email is not null or extrank_id is not null as "hasWay",
      exists (select from persons where team_id = ${teamId} and id <> ${id}) as "hasOthers"
    from teams where id = ${teamId}`)
  if (!team) return 'free'
  if (team.hasOthers) return isCaptain ? 'hand-over' : 'free'
  return !team.hasWay || isOwnTokenRefused(team, isPersonRequired) ? 'last' : 'free'
}
