import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { PersonName } from '../../../lib/acting-person.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { WorldView } from '../../../world/model.ts'
import type { RowKind } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// People as stored in the database: docs/reference/people.md

export interface PersonRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly teamId: string | null
  readonly isCaptain: boolean
  /** Unix milliseconds; null for people in no team. */
  readonly joinedAt: number | null
  /** Permissions of the team that the person may use; null for all. */
  readonly perms: number | null
  /** Sessions that began before this time are invalid; 0 if none are. */
  readonly sessionsValidFrom: number
  readonly createdAt: number
}

export interface Persons {
  readonly count: number
  find(id: string): PersonRow | undefined
  /** The captain first, then in the order in which they joined. */
  ofTeam(teamId: string): readonly PersonRow[]
  all(): Iterable<PersonRow>
}

export const personRows: RowKind<PersonRow, Persons> = {
  kind: 'persons',
  read: readPersons,
  keyOf: ({ id }) => id,
  slice(rows) {
    let teams: ReturnType<typeof byTeam> | null = null
    const all = () => [...rows.values()].map(([row]) => row as PersonRow)
    // Each change makes the map again, so only the team that is asked for is sorted.
    const byTeam = () => groupBy(all(), ({ teamId }) => teamId)
    return {
      count: rows.size,
      find: (id) => rows.get(id)?.[0],
      ofTeam: (teamId) => (teams ??= byTeam()).get(teamId)?.toSorted(captainFirst) ?? [],
      all,
    }
  },
}

/** The name of a person at the moment of the call; null for one who was deleted. */
export function personNames(world: () => Pick<WorldView, 'rows'>): PersonName {
  return (id) => world().rows(personRows).find(id)?.name ?? null
}

function captainFirst(a: PersonRow, b: PersonRow): number {
  return (
    Number(b.isCaptain) - Number(a.isCaptain) ||
    (a.joinedAt ?? 0) - (b.joinedAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** The people with the given ids, or all. */
export function readPersons(db: Queries, ids?: readonly string[]): Promise<PersonRow[]> {
  return db.query<PersonRow>(sql`
    select id, name, email, team_id as "teamId", is_captain as "isCaptain", ${millis('joined_at')} as "joinedAt", perms,
      coalesce(${millis('sessions_valid_from')}, 0) as "sessionsValidFrom", ${millis('created_at')} as "createdAt"
    from persons ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** A session that was ended before it expired. */
export interface EndedSession {
  readonly id: string
}

export const endedSessionRows: RowKind<EndedSession, { has(id: string): boolean }> = {
  kind: 'ended-sessions',
  read: (db, ids) =>
    db.query<EndedSession>(sql`
      select id from person_sessions
      where ended_at is not null and expires_at > now() ${ids ? sql`and id = any(${ids})` : empty}`),
  keyOf: ({ id }) => id,
  slice: (rows) => ({ has: (id) => rows.has(id) }),
}
