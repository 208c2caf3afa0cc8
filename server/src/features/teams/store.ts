import sql, { join, type Sql } from 'sql-template-tag'
import type { ChangeTransaction, Database, Queries } from '../../db/database.ts'

/** What a team may change about itself; null clears. */
export interface ProfilePatch {
  readonly name?: string | undefined
  readonly division?: string | undefined
  readonly countryCode?: string | null | undefined
  readonly statusText?: string | null | undefined
}

/** The changeable part of a team's row. */
export interface OwnTeam {
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly extrankId: string | null
  readonly avatarUrl: string | null
  readonly countryCode: string | null
  readonly statusText: string | null
}

const columns = sql`name, email, division, extrank_id as "extrankId", avatar_url as "avatarUrl",
  country_code as "countryCode", status_text as "statusText"`

export async function findOwnTeam(queries: Queries, id: string): Promise<OwnTeam | null> {
  const [team] = await queries.query<OwnTeam>(sql`select ${columns} from teams where id = ${id}`)
  return team ?? null
}

type Decided<Refusal extends string> = { readonly team: OwnTeam } | { readonly refused: Refusal | 'gone' }

/**
 * Changes a team's own row: `decide` sees the row as it is under the change lock and gives the assignments, or the
 * reason against.
 */
export async function changeTeam<Refusal extends string>(
  db: Database,
  id: string,
  decide: (team: OwnTeam) => readonly Sql[] | Refusal,
): Promise<Decided<Refusal>> {
  return await db.change(async (tx) => {
    const team = await findOwnTeam(tx, id)
    if (!team) return { refused: 'gone' }
    const decided = decide(team)
    if (typeof decided === 'string') return { refused: decided }
    return { team: decided.length === 0 ? team : await assign(tx, id, decided) }
  })
}

async function assign(tx: ChangeTransaction, id: string, assignments: readonly Sql[]): Promise<OwnTeam> {
  const [team] = await tx.query<OwnTeam>(
    sql`update teams set ${join(assignments)} where id = ${id} returning ${columns}`,
  )
  if (!team) throw new Error('a team left while the change lock was held')
  tx.changed('teams', [id])
  return team
}

/** What would change nothing is answered without a write: everyone's changes wait for one lock. */
export function changesAnything(team: OwnTeam, patch: ProfilePatch): boolean {
  const { name, division, countryCode, statusText } = patch
  const pairs = [
    [name, team.name],
    [division, team.division],
    [countryCode, team.countryCode],
    [statusText, team.statusText],
  ]
  return pairs.some(([wanted, current]) => wanted !== undefined && wanted !== current)
}

export interface PatchRequest {
  readonly id: string
  readonly patch: ProfilePatch
  readonly isAllowed: (email: string | null, division: string) => boolean
}

/** All of the patch or nothing. Rejects with the violation when another team has the name. */
export async function patchTeam(db: Database, { id, patch, isAllowed }: PatchRequest) {
  const { name, division, countryCode, statusText } = patch
  return await changeTeam(db, id, ({ email }) => {
    // The address may have changed since the request was checked.
    if (division !== undefined && !isAllowed(email, division)) return 'division'
    const assignments: Sql[] = []
    if (name !== undefined) assignments.push(sql`name = ${name}`)
    if (division !== undefined) assignments.push(sql`division = ${division}`)
    if (countryCode !== undefined) assignments.push(sql`country_code = ${countryCode}`)
    if (statusText !== undefined) assignments.push(sql`status_text = ${statusText}`)
    return assignments
  })
}

export interface EmailRequest {
  readonly id: string
  readonly email: string
  readonly isAllowed: (email: string | null, division: string) => boolean
}

/** Rejects with the violation when another team has the address. */
export async function setTeamEmail(db: Database, { id, email, isAllowed }: EmailRequest) {
  return await changeTeam(db, id, ({ division }) =>
    isAllowed(email, division) ? [sql`email = ${email}`] : 'division',
  )
}

export async function removeTeamEmail(db: Database, id: string) {
  return await changeTeam<'none' | 'last'>(db, id, ({ email, extrankId }) => {
    if (email === null) return 'none'
    return extrankId === null ? 'last' : [sql`email = null`]
  })
}
