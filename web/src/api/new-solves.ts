import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { LATEST_SOLVES } from '@pennant/contract/leaderboard.ts'

/** Newest first. */
export type LatestSolves = readonly {
  readonly id: string
  readonly challengeId: string
  readonly challengeName: string
  readonly category: string
  readonly userId: string
  readonly userName: string
  readonly userAvatarUrl: string | null
  readonly createdAt: number
  readonly bloodIndex: number | null
}[]

interface KnownTeam {
  readonly id: string
  readonly solves: readonly { readonly id: string }[]
}

/**
 * Compares two responses. What is known of the viewer's team is stale if it lacks one of the new solves, or if so many solves
 * are new that one of its own may already have left the list.
 */
export function isTeamStale(before: LatestSolves, now: LatestSolves, team: KnownTeam): boolean {
  const known = new Set(before.map(({ id }) => id))
  const fresh = now.filter(({ id }) => !known.has(id))
  const isOverflow = fresh.length === LATEST_SOLVES
  const isMissing = fresh.some(
    ({ userId, challengeId }) => userId === team.id && !team.solves.some(({ id }) => id === challengeId),
  )
  return isOverflow || isMissing
}

/** An older first blood is history, e.g. after a return to the tab. */
const FRESH_MS = 2 * MINUTE_MS

interface Since {
  /** The viewer's team, whose own first bloods are left out. */
  readonly teamId: string | undefined
  readonly now: number
}

/** The first bloods of other teams that the earlier response did not have, if they are recent; newest first. */
export function newFirstBloods(
  before: LatestSolves,
  solves: LatestSolves,
  { teamId, now }: Since,
): LatestSolves {
  const known = new Set(before.map(({ id }) => id))
  return solves.filter(
    ({ id, userId, bloodIndex, createdAt }) =>
      bloodIndex === 0 && userId !== teamId && !known.has(id) && now - createdAt < FRESH_MS,
  )
}
