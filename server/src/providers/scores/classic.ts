import { z } from 'zod'
import type { ScoreFormula, ScoreInput } from '../../lib/score-formula.ts'
import { provider } from '../provider.ts'
import { clamp } from './rounding.ts'

// Fitted to the curve that players know from large events; the contract defines both.
export const HALF_VALUE_SOLVES = 11.92201
export const STEEPNESS = 1.206069

/** Decreases with each solve, slowly at first, and approaches the minimum asymptotically. */
export function classicValue({ min, max, solves }: Pick<ScoreInput, 'min' | 'max' | 'solves'>): number {
  const fall = 1 + (Math.max(solves - 1, 0) / HALF_VALUE_SOLVES) ** STEEPNESS
  return Math.round(clamp(min + (max - min) / fall, min, max))
}

export const classicScores = provider<ScoreFormula>()({
  name: 'scores/classic',
  options: z.strictObject({}),
  start: () => ({ needs: { maxSolves: false, firstSolve: false }, value: classicValue }),
})
