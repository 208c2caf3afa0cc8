import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { WorldView } from '../../../world/model.ts'

/** Parameters of a leaderboard request. */
export interface BoardQuery {
  readonly limit: number
  readonly offset: number
  readonly division?: string | undefined
  readonly search?: string | undefined
  readonly track?: string | undefined
  /** Only teams that solved or scored on this challenge. */
  readonly challenge?: string | undefined
}

export interface BoardPage {
  /** Number of ranked teams that match the filter. */
  readonly total: number
  /** The teams of the page, by global rank. */
  readonly teamIds: readonly string[]
}

/** Own properties only, so `__proto__` is not a division. */
export function isKnownDivision(divisions: Readonly<Record<string, string>>, division: string): boolean {
  return Object.hasOwn(divisions, division)
}

/** The ranked teams that match the query. Filters do not change their ranks. */
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

/** Empty for a challenge that is not public: listing its solvers would reveal that it exists. */
function touchedBy(world: WorldView, challengeId: string, teamIds: readonly string[]): string[] {
  if (!world.challenge(challengeId)?.isPublic) return []
  return teamIds.filter(
    (id) => world.hasSolved(challengeId, id) || world.dynamicScore(challengeId, id) !== undefined,
  )
}

/** A graph of the whole event has at least this many steps, if the time between two of them may be as short as that. */
const FINE_STEPS = 240
const FINE_SAMPLES_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5].map((minutes) => minutes * MINUTE_MS),
]

/**
 * Milliseconds between points of a fine graph: fewer than `sampleMs` in an event that is too short for that, never more.
 */
export function fineSampleMs(
  { startTime, endTime }: Pick<WorldView, 'startTime' | 'endTime'>,
  sampleMs: number,
) {
  const least = FINE_SAMPLES_MS[0] ?? sampleMs
  const fine = FINE_SAMPLES_MS.findLast((each) => each * FINE_STEPS <= endTime - startTime) ?? least
  return Math.min(sampleMs, fine)
}
