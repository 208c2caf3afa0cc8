import { previewSolves } from '@pennant/contract/overview.ts'
import type { ScoreFormula, ScoreInput } from '../../lib/score-formula.ts'
import type { WorldView } from '../../world/model.ts'

export type Bounds = Omit<ScoreInput, 'solves' | 'firstSolveAt'> & {
  /** Of a challenge with a solve. */
  readonly firstSolveAt: number
}

/** Points by solves, from none to 500. */
export function previewValues(formula: ScoreFormula, bounds: Bounds): [number, number][] {
  return Array.from({ length: previewSolves + 1 }, (_, solves) => {
    // A challenge with more solves than the most solved one would be that itself.
    const maxSolves = Math.max(bounds.maxSolves, solves)
    const firstSolveAt = solves === 0 ? null : bounds.firstSolveAt
    return [solves, formula.value({ ...bounds, solves, maxSolves, firstSolveAt })]
  })
}

/** Counted solves of the most solved decay challenge. */
export function mostSolves(world: WorldView): number {
  return world
    .publicChallenges()
    .reduce(
      (most, { scoringKind, solveCount }) => (scoringKind === 'decay' ? Math.max(most, solveCount) : most),
      0,
    )
}
