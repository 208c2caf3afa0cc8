import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { ChallengeSolves } from '../../../world/reads.ts'

export interface Award {
  readonly world: WorldView
  readonly score: ScoreFormula
  readonly challenge: Challenge
  readonly solves: ChallengeSolves
  /** Position of the solve, starting at 1; null if its team is banned. */
  readonly position: number | null
}

/**
 * Points that the solve was worth at first: the value with the number of solves that counted then. Null if
 * the solve does not count, or if the value depended on the other challenges at that time.
 */
export function awardedPoints({ world, score, challenge, solves, position }: Award): number | null {
  if (position === null || position > challenge.solveCount) return null
  const { scoringKind, pointsMin: min, pointsMax: max } = challenge
  if (scoringKind === 'static') return max
  if (score.needs.maxSolves) return null
  const { startTime, endTime } = world
  const { solves: counted, firstAt } = solves.pricing(position)
  const firstSolveAt = score.needs.firstSolve ? firstAt : null
  return score.value({ min, max, solves: counted, maxSolves: 0, startTime, endTime, firstSolveAt })
}
