import { groupBy } from '../../../lib/group-by.ts'

/** A challenge with what was expected of it and what happened. */
interface Judged {
  readonly id: string
  readonly category: string
  readonly initialPoints: number
  readonly sortWeight: number | null
  readonly solves: number
  readonly firstSolve: { readonly afterMs: number } | null
}

interface Shift {
  readonly bySolves: number
  readonly byFirstSolve: number
}

/** The first and the last rank that a challenge can be said to have: equal ones share all of theirs. */
interface Ranks {
  readonly first: number
  readonly last: number
}

/**
 * How many ranks each challenge is harder (positive) or easier than expected, within its category, by id. The author
 * expects more of a challenge with more initial points, and of equal ones of the later one in the list if its
 * place was chosen. Equal challenges share their ranks, so a difference is one only if no order of equal ones explains it.
 */
export function shiftsOf(challenges: readonly Judged[]): ReadonlyMap<string, Shift> {
  const shifts = new Map<string, Shift>()
  for (const all of groupBy(challenges, ({ category }) => category).values())
    for (const each of all) {
      const expected = ranksOf(each, all, byExpectation)
      shifts.set(each.id, {
        bySolves: distance(expected, ranksOf(each, all, bySolves)),
        byFirstSolve: distance(expected, ranksOf(each, all, byFirstSolve)),
      })
    }
  return shifts
}

type Compare = (a: Judged, b: Judged) => number

const byExpectation: Compare = (a, b) => a.initialPoints - b.initialPoints || weightOf(a) - weightOf(b)
const bySolves: Compare = (a, b) => b.solves - a.solves
const byFirstSolve: Compare = (a, b) => timeOf(a) - timeOf(b)

/** Later than any time and any weight; not infinite, because equal ones are subtracted. */
const LAST = Number.MAX_SAFE_INTEGER

function weightOf({ sortWeight }: Judged): number {
  return sortWeight ?? LAST
}

function timeOf({ firstSolve }: Judged): number {
  return firstSolve?.afterMs ?? LAST
}

function ranksOf(each: Judged, all: readonly Judged[], compare: Compare): Ranks {
  const before = all.filter((other) => compare(other, each) < 0).length
  const equal = all.filter((other) => compare(other, each) === 0).length
  return { first: before, last: before + equal - 1 }
}

function distance(expected: Ranks, actual: Ranks): number {
  return Math.max(0, actual.first - expected.last) - Math.max(0, expected.first - actual.last)
}
