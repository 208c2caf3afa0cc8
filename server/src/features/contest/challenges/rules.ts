import type { Challenge, ScoringKind, Views, WorldView } from '../../../world/model.ts'
import { visibleTo, type Caller } from './visible.ts'

/** A caller's score on a challenge. */
export interface OwnScore {
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

/** Returns 0, 1 and 2 for first, second and third blood. `position` starts at 0. */
export function bloodIndexOf(position: number): number | null {
  return position < 3 ? position : null
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
 * The caller's scores on the listed challenges, by challenge id. Banned teams get no deltas, but keep the
 * scores. Own solves after the freeze are included: docs/reference/freeze.md
 */
export function ownScores(
  { live, shown }: Views,
  teamId: string,
  challenges: readonly Challenge[],
): ReadonlyMap<string, OwnScore> {
  const isBanned = shown.team(teamId)?.banned ?? false
  const scores = new Map<string, OwnScore>()
  for (const { id, scoringKind, points } of challenges) {
    if (scoringKind === 'dynamic') {
      const entry = shown.dynamicScore(id, teamId)
      if (entry) scores.set(id, { points: entry.points, pointDelta: isBanned ? null : entry.delta })
    } else if (live.hasSolved(id, teamId)) {
      // The value in this list, so that it never lags behind `points`:
      // docs/reference/challenges.md#the-callers-own-score
      scores.set(id, { points, pointDelta: null })
    }
  }
  return scores
}
