import { z } from 'zod'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'

const PAID_SOLVES = 2

/** Worth the maximum for up to two solves, then nothing: below the minimum on purpose. */
export const genniScores = provider<ScoreFormula>()({
  name: 'scores/genni',
  options: z.strictObject({}),
  start: () => ({
    needs: { maxSolves: false, firstSolve: false },
    value: ({ max, solves }) => (solves <= PAID_SOLVES ? max : 0),
  }),
})
