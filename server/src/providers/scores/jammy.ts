import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'
import { clamp } from './rounding.ts'

const JammyOptions = z.strictObject({
  maximumScoreTime: z
    .number()
    .gt(0)
    .max(1)
    .default(0.8)
    .describe('Share of the event after which a first solve earns the maximum.'),
})

/** Increases while the challenge is unsolved; later solves change nothing. */
export const jammyScores = provider<ScoreFormula>()({
  name: 'scores/jammy',
  options: JammyOptions,
  start: ({ maximumScoreTime }) => ({
    needs: { maxSolves: false, firstSolve: true },
    value({ min, max, startTime, endTime, firstSolveAt }) {
      const lengthSeconds = (endTime - startTime) / 1000
      const steps = max - min + 1
      if (firstSolveAt === null || max === 0 || lengthSeconds <= 0 || steps <= 0) return max
      const tickSeconds = (maximumScoreTime * lengthSeconds) / steps
      const unsolvedSeconds = (firstSolveAt - startTime) / 1000
      // The lower bound handles a first solve before the start.
      return clamp(min + Math.trunc(unsolvedSeconds / tickSeconds), min, max)
    },
  }),
})
