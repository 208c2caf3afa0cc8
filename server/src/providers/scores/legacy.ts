import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'

// The section of the tanh curve that is used, from 15 % below its top to 2 % above its bottom.
const CURVE_START = -Math.atanh(0.7)
const CURVE_END = Math.atanh(0.96)
const HIGH = half(CURVE_START)
const LOW = half(CURVE_END)

function half(x: number): number {
  return (1 - Math.tanh(x)) / 2
}

/** 1 without a solve, 0 at the most solved challenge. */
function share(x: number): number {
  return (half((CURVE_END - CURVE_START) * x + CURVE_START) - LOW) / (HIGH - LOW)
}

/** Decreases with the solves relative to the most solved challenge, which alone is worth the minimum. */
export const legacyScores = provider<ScoreFormula>()({
  name: 'scores/legacy',
  options: z.strictObject({}),
  start: () => ({
    needs: { maxSolves: true, firstSolve: false },
    value({ min, max, solves, maxSolves }) {
      const most = Math.max(1, maxSolves)
      const at = (count: number) => min + (max - min) * share(count / most)
      return Math.round(Math.max(at(solves), at(most)))
    },
  }),
})
