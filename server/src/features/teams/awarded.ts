import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { Challenge, ChallengeSolves, WorldView } from '../../world/model.ts'

export interface Award {
  readonly world: WorldView
  readonly score: ScoreFormula
  readonly challenge: Challenge
  readonly solves: ChallengeSolves
  /** Of the solve, from 1; null when its team is banned. */
  readonly position: number | null
}

/**
 * Points first credited for a solve: the challenge's value with as many counted solves as it then had. Null for one
 * that does not count, and where the value hung on what other challenges were worth at the time.
 */
export function awardedPoints({ world, score, challenge, solves, position }: Award): number | null {
  if (position === null || position > challenge.solveCount) return null
  const { scoringKind, pointsMin: min, pointsMax: max } = challenge
  if (scoringKind === 'static') return max
  if (score.needs.maxSolves) return null
  const firstSolveAt = score.needs.firstSolve ? (solves.slice(0, 1)[0]?.createdAt ?? null) : null
  const { startTime, endTime } = world
  return score.value({ min, max, solves: position, maxSolves: 0, startTime, endTime, firstSolveAt })
}
