import { PREVIEW_SOLVES } from '@pennant/contract/overview.ts'
import type { ScoreFormula, ScoreInput } from '../../../lib/score-formula.ts'
import type { WorldView } from '../../../world/model.ts'

export type Bounds = Omit<ScoreInput, 'solves' | 'firstSolveAt'> & {
  /** Used for one or more solves. For zero solves the formula gets null. */
  readonly firstSolveAt: number
}

/** Points by number of solves, from 0 to 500. */
export function previewValues(formula: ScoreFormula, bounds: Bounds): [number, number][] {
  return Array.from({ length: PREVIEW_SOLVES + 1 }, (_, solves) => {
    // With more solves than the most solved challenge, this challenge would itself be the most solved one.
    const maxSolves = Math.max(bounds.maxSolves, solves)
    const firstSolveAt = solves === 0 ? null : bounds.firstSolveAt
    return [solves, formula.value({ ...bounds, solves, maxSolves, firstSolveAt })]
  })
}

/** Number of counted solves of the most solved decay challenge. */
export function maxSolvesOf(world: WorldView): number {
  return world
    .publicChallenges()
    .reduce(
      (most, { scoringKind, solveCount }) => (scoringKind === 'decay' ? Math.max(most, solveCount) : most),
      0,
    )
}
