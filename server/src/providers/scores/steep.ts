import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'
import { clamp } from './rounding.ts'

/** After seven solves the value is halfway to the minimum. */
const HALF_VALUE_SOLVES = 6

/** Decreases with each solve, most with the first ones. */
export const steepScores = provider<ScoreFormula>()({
  name: 'scores/steep',
  options: z.strictObject({}),
  start: () => ({
    needs: { maxSolves: false, firstSolve: false },
    value({ min, max, solves }) {
      const fall = 1 + Math.max(solves - 1, 0) / HALF_VALUE_SOLVES
      return Math.round(clamp(min + (max - min) / fall, min, max))
    },
  }),
})
