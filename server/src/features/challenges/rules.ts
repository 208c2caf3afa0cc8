import type { Challenge, ScoringKind, WorldView } from '../../world/model.ts'

/** What a caller has on a challenge. */
export interface OwnScore {
  readonly points: number
  /** The caller's change in the latest feed tick; null when it had none. */
  readonly pointDelta: number | null
}

/** Participants are told only whether points differ per team: a constant value is a decay that does not move. */
export function reportedKind(kind: ScoringKind): 'decay' | 'dynamic' {
  return kind === 'dynamic' ? 'dynamic' : 'decay'
}

/** First, second and third blood are 0, 1 and 2. `position` counts from 0. */
export function bloodIndexOf(position: number): number | null {
  return position < 3 ? position : null
}

/** The challenge if participants may know of it. Hidden ones do not exist for anyone here (ruling 14). */
export function findPublicChallenge(world: WorldView, id: string): Challenge | null {
  const challenge = world.challenge(id)
  return challenge?.isPublic ? challenge : null
}

/** The caller's scores on the listed challenges, by challenge id. A ban takes the deltas, not the scores. */
export function ownScores(
  world: WorldView,
  teamId: string,
  challenges: readonly Challenge[],
): ReadonlyMap<string, OwnScore> {
  const isBanned = world.team(teamId)?.banned ?? false
  const scores = new Map<string, OwnScore>()
  for (const { id, scoringKind, points } of challenges) {
    if (scoringKind === 'dynamic') {
      const entry = world.dynamicScore(id, teamId)
      if (entry) scores.set(id, { points: entry.points, pointDelta: isBanned ? null : entry.delta })
    } else if (world.hasSolved(id, teamId)) {
      // The value of this very list, so that it never lags behind `points` (ruling 3).
      scores.set(id, { points, pointDelta: null })
    }
  }
  return scores
}
