import { teamNameKey } from '@pennant/contract/fields.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { writeAnswers, type NewAnswer } from '../../site/custom-fields/store.ts'
import type { Collision } from './collision.ts'
import { declaredText, type Declaration } from '../tracks/rules.ts'

export interface NewTeam {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly perms: number
  readonly extrankId: string | null
  readonly countryCode?: string | null
  /** The registration code that the team was created with. */
  readonly codeId?: string | null
  /** Answers to the fields of teams. */
  readonly fields?: readonly NewAnswer[] | null
  readonly declared?: Declaration | null
}

/**
 * Inserts teams with one statement. A team that collides with an existing team, or with an earlier one in the
 * list, is skipped and gets the reason (checked in the order name, email, extrankId). The other teams are
 * still inserted.
 */
export async function insertTeams(
  tx: ChangeTransaction,
  teams: readonly NewTeam[],
): Promise<(Collision | null)[]> {
  const column = <K extends keyof NewTeam>(key: K) => teams.map((team) => team[key])
  const rows = await tx.query<{ id: string }>(sql`
    insert into teams (id, name, email, division, perms, extrank_id, country_code, registration_code_id,
      track, agent)
    select id, name, email, division, perms, extrank_id, country_code, code_id,
      declared ->> 'track', declared -> 'agent'
    from unnest(${column('id')}::text[], ${column('name')}::text[], ${column('email')}::text[],
      ${column('division')}::text[], ${column('perms')}::integer[], ${column('extrankId')}::text[],
      ${teams.map(({ countryCode = null }) => countryCode)}::text[],
      ${teams.map(({ codeId = null }) => codeId)}::text[],
      ${teams.map(({ declared }) => declaredText(declared))}::jsonb[])
      with ordinality as t (id, name, email, division, perms, extrank_id, country_code, code_id, declared, at)
    order by at
    on conflict do nothing
    returning id`)
  const created = new Set(rows.map(({ id }) => id))
  if (created.size > 0) tx.changed('teams', [...created])
  await writeAnswers(
    tx,
    teams.flatMap(({ id, fields }) =>
      created.has(id) && fields ? { owner: { teamId: id }, answers: fields } : [],
    ),
  )
  const refused = teams.filter((team) => !created.has(team.id))
  if (refused.length === 0) return teams.map(() => null)
  const taken = await readTaken(tx, refused)
  return teams.map((team) => (created.has(team.id) ? null : requireCollision(team, taken)))
}

interface Taken {
  /** Keys of `teamNameKey`. */
  readonly names: ReadonlySet<string>
  readonly emails: ReadonlySet<string>
  readonly extrankIds: ReadonlySet<string>
}

export type Identity = Pick<NewTeam, 'name' | 'email' | 'extrankId'>

/** Which of the names, addresses and ranking-site ids are already taken. */
export async function readTaken(queries: Queries, wanted: readonly Identity[]): Promise<Taken> {
  const rows = await queries.query<{ name: string; email: string | null; extrank_id: string | null }>(sql`
    select name, email, extrank_id from teams
    where lower(regexp_replace(name, ' +', ' ', 'g')) = any(${wanted.map(({ name }) => teamNameKey(name))}::text[])
      or email = any(${wanted.map(({ email }) => email)}::text[])
      or extrank_id = any(${wanted.map(({ extrankId }) => extrankId)}::text[])`)
  return {
    names: new Set(rows.map(({ name }) => teamNameKey(name))),
    emails: new Set(rows.flatMap(({ email }) => email ?? [])),
    extrankIds: new Set(rows.flatMap((row) => row.extrank_id ?? [])),
  }
}

/** If several are taken, the first of name, email, extrankId: docs/reference/teams.md#uniqueness */
export function firstCollision({ name, email, extrankId }: Identity, taken: Taken): Collision | null {
  if (taken.names.has(teamNameKey(name))) return 'name'
  if (email !== null && taken.emails.has(email)) return 'email'
  return extrankId !== null && taken.extrankIds.has(extrankId) ? 'extrankId' : null
}

function requireCollision(team: NewTeam, taken: Taken): Collision {
  const collision = firstCollision(team, taken)
  // The change lock prevents the conflicting team from being deleted before this read.
  if (!collision) throw new Error('a team was not created although there was no collision')
  return collision
}
