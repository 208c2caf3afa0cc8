import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'
import { clamp } from './rounding.ts'

const STEP = 0.15
/** Start of the logarithm: one solve is worth the maximum, sixty (x = 10) the minimum. */
const START = 1 + STEP
const END = 10

/** Decreases logarithmically with the solves and reaches the minimum at 60. */
export const sekaiScores = provider<ScoreFormula>()({
  name: 'scores/sekai',
  options: z.strictObject({}),
  start: () => ({
    needs: { maxSolves: false, firstSolve: false },
    value({ min, max, solves }) {
      const fallen = Math.log((1 + STEP * solves) / START) / Math.log(END / START)
      return clamp(Math.ceil(max - (max - min) * fallen), min, max)
    },
  }),
})
