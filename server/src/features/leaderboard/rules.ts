import type { WorldView } from '../../world/model.ts'

/** What a caller asks of the standings. */
export interface BoardQuery {
  readonly limit: number
  readonly offset: number
  readonly division?: string | undefined
  readonly search?: string | undefined
  /** Only teams that solved or scored on this challenge. */
  readonly challenge?: string | undefined
}

export interface BoardPage {
  /** Ranked teams in the whole filter. */
  readonly total: number
  /** Those of the page, by global place. */
  readonly teamIds: readonly string[]
}

/** Own keys only: no team is in `__proto__`. */
export function isKnownDivision(divisions: Readonly<Record<string, string>>, division: string): boolean {
  return Object.hasOwn(divisions, division)
}

/** The ranked teams that a query names. Places stay the real ones whatever the filter. */
export function findPage(world: WorldView, query: BoardQuery): BoardPage {
  const { limit, offset, division, search, challenge } = query
  if (search === undefined && challenge === undefined) {
    return { total: world.rankedCount(division), teamIds: world.ranked({ division, offset, limit }) }
  }
  const found =
    search === undefined
      ? world.ranked({ division, offset: 0, limit: world.rankedCount(division) })
      : world.searchRanked(search, division)
  const touching = challenge === undefined ? found : touchedBy(world, challenge, found)
  return { total: touching.length, teamIds: touching.slice(offset, offset + limit) }
}

/** Nobody for a challenge that participants may not know of: its solvers would tell that it exists. */
function touchedBy(world: WorldView, challengeId: string, teamIds: readonly string[]): string[] {
  if (!world.challenge(challengeId)?.isPublic) return []
  return teamIds.filter(
    (id) => world.hasSolved(challengeId, id) || world.dynamicScore(challengeId, id) !== undefined,
  )
}
