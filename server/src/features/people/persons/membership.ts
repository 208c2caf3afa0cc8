import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { writeAnswers, type NewAnswer } from '../../site/custom-fields/store.ts'
import { isOwnTokenRefused } from '../teams/token-validity.ts'
import { personRows, readPersons, type PersonRow } from './rows.ts'
import { placeInTeam } from './store.ts'

// Places of people in teams. Every function runs in a change transaction, whose lock makes the decisions one after the other.

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 16

/** 80 random bits: a byte chooses one of 32 letters evenly. */
export function newJoinCode(): string {
  return [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export interface JoinableTeam {
  readonly id: string
  readonly name: string
  readonly perms: number
  readonly tokenOff: boolean
  readonly size: number
}

/** Null if no team has the code. Teams that were banned have none either. */
export async function findByJoinCode(db: Queries, code: string): Promise<JoinableTeam | null> {
  const [team] = await db.query<JoinableTeam>(sql`
    select id, name, perms, token_off as "tokenOff", (select count(*)::int from persons where team_id = teams.id) as size
    from teams where join_code = ${code} and not banned`)
  return team ?? null
}

export async function findPerson(db: Queries, id: string): Promise<PersonRow | null> {
  return (await readPersons(db, [id]))[0] ?? null
}

export interface JoinRules {
  readonly maxTeamSize: number
  readonly isLocked: boolean
  /** Tokens of teams without permissions are refused. */
  readonly isPersonRequired: boolean
}

interface Joining {
  readonly personId: string
  readonly code: string
  /** Of the person, to fields that ask at registration. */
  readonly answers?: readonly NewAnswer[]
  readonly now: number
}

/** The first one in a team that cannot name a captain by its own token becomes captain. */
export async function joinByCode(
  tx: ChangeTransaction,
  { personId, code, answers = [], now }: Joining,
  { maxTeamSize, isLocked, isPersonRequired }: JoinRules,
): Promise<JoinableTeam | 'gone' | 'code' | 'in-team' | 'locked' | 'full'> {
  const person = await findPerson(tx, personId)
  if (!person) return 'gone'
  const team = await findByJoinCode(tx, code)
  if (!team) return 'code'
  if (person.teamId !== null) return 'in-team'
  if (isLocked) return 'locked'
  if (team.size >= maxTeamSize) return 'full'
  const isCaptain = team.size === 0 && isOwnTokenRefused(team, isPersonRequired)
  await placeInTeam(tx, { id: personId, teamId: team.id, isCaptain, at: now })
  await writeAnswers(tx, [{ owner: { personId }, answers }])
  return team
}

export async function leave(
  tx: ChangeTransaction,
  { personId, teamId }: { readonly personId: string; readonly teamId?: string },
): Promise<'done' | 'no-team' | 'hand-over'> {
  const person = await findPerson(tx, personId)
  if (!person || person.teamId === null) return 'no-team'
  if (teamId !== undefined && person.teamId !== teamId) return 'no-team'
  if (person.isCaptain && (await countOthers(tx, person)) > 0) return 'hand-over'
  await takeFromTeam(tx, personId)
  return 'done'
}

async function countOthers(tx: Queries, { id, teamId }: PersonRow): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from persons where team_id = ${teamId} and id <> ${id}`,
  )
  return row?.count ?? 0
}

/** A trigger clears what belongs to the place. */
export async function takeFromTeam(tx: ChangeTransaction, id: string): Promise<void> {
  await tx.query(sql`update persons set team_id = null where id = ${id}`)
  tx.changed(personRows, [id])
}

/** False if the person is not in the team. */
export async function makeCaptain(
  tx: ChangeTransaction,
  { personId, teamId }: { readonly personId: string; readonly teamId: string },
): Promise<boolean> {
  const person = await findPerson(tx, personId)
  if (person?.teamId !== teamId) return false
  const former = await tx.query<{ id: string }>(sql`
    update persons set is_captain = false where team_id = ${teamId} and is_captain and id <> ${personId} returning id`)
  await tx.query(sql`update persons set is_captain = true where id = ${personId}`)
  tx.changed(personRows, [personId, ...former.map(({ id }) => id)])
  return true
}

export async function renamePerson(tx: ChangeTransaction, id: string, name: string): Promise<boolean> {
  const rows = await tx.query(sql`update persons set name = ${name} where id = ${id} returning id`)
  if (rows.length > 0) tx.changed(personRows, [id])
  return rows.length > 0
}

export async function readJoinCode(db: Queries, teamId: string): Promise<string | null> {
  const [row] = await db.query<{ code: string | null }>(
    sql`select join_code as code from teams where id = ${teamId}`,
  )
  return row?.code ?? null
}

/** No process keeps the code, so nothing has changed for them. */
export async function writeJoinCode(db: Queries, teamId: string, code: string | null): Promise<void> {
  await db.query(sql`update teams set join_code = ${code} where id = ${teamId}`)
}

/** False if no one could sign in to the team any more. */
export async function switchOwnToken(tx: ChangeTransaction, teamId: string, isOn: boolean): Promise<boolean> {
  const rows = await tx.query(sql`
    update teams set token_off = ${!isOn} where id = ${teamId}
      and (${isOn} or exists (select from persons where team_id = ${teamId} and is_captain)) returning id`)
  if (rows.length > 0) tx.changed('teams', [teamId])
  return rows.length > 0
}
