import type { Challenge, ScoringKind, Views, WorldView } from '../../../world/model.ts'
import type { ChallengeSolves } from '../../../world/reads.ts'
import { visibleTo, type Caller } from './visible.ts'

/** A caller's score on a live challenge. */
export interface LiveScore {
  readonly points: number
  /** The caller's change in the latest feed tick; null if there was none. */
  readonly pointDelta: number | null
}

/**
 * Participants only learn whether points differ per team: a constant value is reported as a decay that never
 * changes.
 */
export function reportedKind(kind: ScoringKind): 'decay' | 'dynamic' {
  return kind === 'dynamic' ? 'dynamic' : 'decay'
}

/** Returns 0, 1 and 2 for first, second and third blood. */
export function bloodIndexOf(solves: ChallengeSolves, teamId: string): number | null {
  const index = solves.bloods().findIndex((blood) => blood.teamId === teamId)
  return index === -1 ? null : index
}

/**
 * The challenge if it is public and open for the caller. A hidden one does not exist here for anyone:
 * docs/reference/challenges.md#who-sees-a-challenge
 */
export function findPublicChallenge(world: WorldView, id: string, caller: Caller): Challenge | null {
  const challenge = visibleTo(world, caller).world.challenge(id)
  return challenge?.isPublic ? challenge : null
}

/**
 * The caller's scores on the listed live challenges, by position in the list. Banned teams get no deltas, but keep the scores. What
 * another challenge is worth is in the list, so that a caller's points never lag behind them:
 * docs/reference/challenges.md#the-callers-own-score
 */
export function liveScores(
  { shown }: Views,
  teamId: string,
  challenges: readonly Challenge[],
): ReadonlyMap<number, LiveScore> {
  const scores = new Map<number, LiveScore>()
  for (let at = 0; at < challenges.length; at += 1) {
    const { id, scoringKind } = challenges[at] as Challenge
    if (scoringKind !== 'dynamic') continue
    const entry = shown.dynamicScore(id, teamId)
    if (!entry) continue
    const isBanned = shown.team(teamId)?.banned ?? false
    scores.set(at, { points: entry.points, pointDelta: isBanned ? null : entry.delta })
  }
  return scores
}
