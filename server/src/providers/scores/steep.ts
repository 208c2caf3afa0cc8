import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'
import { clamp } from './rounding.ts'

/** Half of the span is gone after seven solves. */
const HALF_VALUE_SOLVES = 6

/** Falls with each solve, the first ones most. */
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
