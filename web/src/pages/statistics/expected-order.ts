import { compareCategories } from '../../ui/marks/categories.ts'
import type { ChallengeFigures } from './queries.ts'

/** A rank can change by chance; two are worth a look. */
export const LEAST_SHIFT = 2
const MAX_NAMED = 6

/** The challenges of each category from the easiest to the hardest expected one. */
export function byExpectation(challenges: readonly ChallengeFigures[]): ChallengeFigures[][] {
  const names = [...new Set(challenges.map(({ category }) => category))].sort(compareCategories)
  return names.map((name) =>
    challenges
      .filter(({ category }) => category === name)
      .toSorted((a, b) => a.initialPoints - b.initialPoints),
  )
}

/** Those that are furthest from what was expected, the furthest first. */
export function unusualOf(challenges: readonly ChallengeFigures[]) {
  const shifted = challenges
    .filter(({ shift }) => Math.abs(shift.bySolves) >= LEAST_SHIFT)
    .toSorted((a, b) => Math.abs(b.shift.bySolves) - Math.abs(a.shift.bySolves))
  return {
    harder: shifted.filter(({ shift }) => shift.bySolves > 0).slice(0, MAX_NAMED),
    easier: shifted.filter(({ shift }) => shift.bySolves < 0).slice(0, MAX_NAMED),
  }
}
