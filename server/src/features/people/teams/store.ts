import sql, { join, type Sql } from 'sql-template-tag'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { tokensValidFrom } from './token-validity.ts'

/** Changes by the team itself. Null clears a field; an absent field is not changed. */
export interface ProfilePatch {
  readonly name?: string | undefined
  readonly division?: string | undefined
  readonly countryCode?: string | null | undefined
  readonly statusText?: string | null | undefined
}

/** The fields of a team that can change. */
export interface OwnTeam {
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly extrankId: string | null
  readonly avatarUrl: string | null
  readonly countryCode: string | null
  readonly statusText: string | null
  readonly tokensValidFrom: number
  /** Of the code that it registered with. */
  readonly codeDivision?: string | null
}

const columns = sql`name, email, division, extrank_id as "extrankId", avatar_url as "avatarUrl",
  country_code as "countryCode", status_text as "statusText", ${tokensValidFrom},
  (select code.division from registration_codes as code where code.id = registration_code_id) as "codeDivision"`

/** Identifies a change of the sign-in method by the team and the issue time of the token used. */
export interface SignInChange {
  readonly id: string
  readonly issuedAt: number
}

/**
 * Whether the token has been voided. Checked against the row under the change lock: another process may not
 * know about it yet, and a new sign-in method would outlive the voided token.
 */
export function isTooOld({ issuedAt }: SignInChange, { tokensValidFrom: validFrom }: OwnTeam): boolean {
  return issuedAt < validFrom
}

export async function findOwnTeam(queries: Queries, id: string): Promise<OwnTeam | null> {
  const [team] = await queries.query<OwnTeam>(sql`select ${columns} from teams where id = ${id}`)
  return team ?? null
}

type Decided<Refusal extends string> = { readonly team: OwnTeam } | { readonly refused: Refusal | 'gone' }

/**
 * Changes a team's row. `decide` gets the row under the change lock and returns the assignments, or the
 * reason for refusal.
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
  if (!team) throw new Error('a team was deleted while the change lock was held')
  tx.changed('teams', [id])
  return team
}

/** Whether the patch changes the team. If not, the write is skipped, because all changes share one lock. */
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

/** Applies the whole patch or nothing. Rejects with the constraint violation if the name is taken. */
export async function patchTeam(db: Database, { id, patch, isAllowed }: PatchRequest) {
  const { name, division, countryCode, statusText } = patch
  return await changeTeam(db, id, ({ email, codeDivision, ...team }) => {
    // The address may have changed since the request was checked.
    if (division !== undefined && !isAllowed(email, division)) return 'division'
    // A team whose code is for a division stays in it.
    if (division !== undefined && division !== team.division && codeDivision) return 'division'
    const assignments: Sql[] = []
    if (name !== undefined) assignments.push(sql`name = ${name}`)
    if (division !== undefined) assignments.push(sql`division = ${division}`)
    if (countryCode !== undefined) assignments.push(sql`country_code = ${countryCode}`)
    if (statusText !== undefined) assignments.push(sql`status_text = ${statusText}`)
    return assignments
  })
}

export interface EmailRequest extends SignInChange {
  readonly email: string
  readonly isAllowed: (email: string | null, division: string) => boolean
}

/** Rejects with the constraint violation if another team has the address. */
export async function setTeamEmail(db: Database, request: EmailRequest) {
  const { id, email, isAllowed } = request
  return await changeTeam<'void' | 'division'>(db, id, (team) => {
    if (isTooOld(request, team)) return 'void'
    return isAllowed(email, team.division) ? [sql`email = ${email}`] : 'division'
  })
}

export async function removeTeamEmail(db: Database, change: SignInChange) {
  return await changeTeam<'void' | 'none' | 'last'>(db, change.id, (team) => {
    if (isTooOld(change, team)) return 'void'
    if (team.email === null) return 'none'
    return team.extrankId === null ? 'last' : [sql`email = null`]
  })
}
