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

/** The newest first blood of another team that the earlier response did not have, if it is recent. */
export function newFirstBlood(
  before: LatestSolves,
  solves: LatestSolves,
  { teamId, now }: { readonly teamId: string | undefined; readonly now: number },
): LatestSolves[number] | undefined {
  const known = new Set(before.map(({ id }) => id))
  return solves.find(
    ({ id, userId, bloodIndex, createdAt }) =>
      bloodIndex === 0 && userId !== teamId && !known.has(id) && now - createdAt < FRESH_MS,
  )
}
