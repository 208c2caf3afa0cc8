import type { TeamSort, TeamStatus } from '@pennant/contract/admin-teams.ts'
import { passes, type Filter } from '@pennant/contract/filters.ts'
import type { z } from 'zod'
import type { TeamRow, WorldView } from '../../../world/model.ts'

export interface TeamListQuery {
  readonly limit: number
  readonly offset: number
  readonly search?: string | undefined
  readonly sortBy: z.infer<typeof TeamSort>
  readonly sortOrder: 'asc' | 'desc'
}

export interface TeamListFilter {
  readonly status?: Filter<z.infer<typeof TeamStatus>> | null | undefined
  readonly division?: Filter<string> | null | undefined
  /** Whether a team passes the filters by answers and eligibility, which another feature knows. */
  readonly passes?: ((team: TeamRow) => boolean) | undefined
}

/**
 * Returns one page of the matching teams and their total number. Computed from memory, without a database
 * query.
 */
export function pageOfTeams(
  world: WorldView,
  query: TeamListQuery,
  filter: TeamListFilter = {},
): { readonly total: number; readonly teams: TeamRow[] } {
  const keyOf = sortKeys[query.sortBy]
  const text = query.search?.toLowerCase() ?? ''
  const found: Ranked[] = []
  for (const team of world.teams()) {
    if (!passes(filter.status, statusOf(team)) || !passes(filter.division, team.division)) continue
    if (filter.passes?.(team) === false) continue
    const match = text === '' ? 0 : matchOf(team, text)
    if (match !== null) found.push({ team, match, key: keyOf(team, world) })
  }
  const { limit, offset, sortBy, sortOrder } = query
  const sign = sortOrder === 'asc' ? 1 : -1
  // Ties are sorted by creation, ascending, unless the list itself is sorted by creation:
  // docs/reference/administration.md#listing-teams
  const tieSign = sortBy === 'createdAt' ? sign : 1
  found.sort((a, b) => a.match - b.match || sign * compare(a.key, b.key) || tieSign * byAge(a.team, b.team))
  return { total: found.length, teams: found.slice(offset, offset + limit).map(({ team }) => team) }
}

interface Ranked {
  readonly team: TeamRow
  /** Quality of the search match; lower is better. */
  readonly match: number
  readonly key: string | number
}

const sortKeys: Readonly<
  Record<TeamListQuery['sortBy'], (team: TeamRow, world: WorldView) => string | number>
> = {
  createdAt: ({ createdAt }) => createdAt,
  team: ({ name }) => name.toLowerCase(),
  email: ({ email }) => email?.toLowerCase() ?? '',
  division: ({ division }) => division,
  score: ({ id }, world) => world.standing(id).score,
  solves: ({ id }, world) => solveCountOf(world, id),
  status: statusOf,
}

export function statusOf({ perms, banned }: TeamRow): z.infer<typeof TeamStatus> {
  if (perms > 0) return 'admin'
  return banned ? 'banned' : 'active'
}

/** Number of solves and feed scores, including those on hidden challenges. */
export function solveCountOf(world: WorldView, id: string): number {
  return world.solveCountOfTeam(id) + world.feedScoresOfTeam(id).length
}

/**
 * Rank of the match: exact name, name prefix, part of the name, part of the email. Null if nothing matches.
 */
function matchOf({ name, email }: TeamRow, text: string): number | null {
  const at = name.toLowerCase().indexOf(text)
  if (at === 0) return name.length === text.length ? 0 : 1
  if (at > 0) return 2
  return email?.toLowerCase().includes(text) ? 3 : null
}

function byAge(a: TeamRow, b: TeamRow): number {
  return a.createdAt - b.createdAt || compare(a.id, b.id)
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
