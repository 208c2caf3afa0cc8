import type { Statistics } from '@pennant/contract/statistics.ts'
import type { z } from 'zod'
import type { Report } from './rules.ts'

/** What everyone may see of a report. */
export type PublicReport = z.infer<typeof Statistics>

/** Without the numbers of flags of each challenge, and without those of groups, which may be a single team. */
export function publicReport({ challenges, countries, divisions, ...figures }: Report): PublicReport {
  return {
    ...figures,
    challenges: challenges.map(({ correct: _correct, wrong: _wrong, ...each }) => each),
    countries: bySolvers(countries),
    divisions: bySolvers(divisions),
  }
}

type FirstSolve = NonNullable<PublicReport['challenges'][number]['firstSolve']>

/** Without the first solves that do not match. */
export function withFirstSolvers(
  report: PublicReport,
  isShown: (firstSolve: FirstSolve) => boolean,
): PublicReport {
  const challenges = report.challenges.map((challenge) => {
    const { firstSolve } = challenge
    return firstSolve && !isShown(firstSolve) ? { ...challenge, firstSolve: null } : challenge
  })
  return { ...report, challenges }
}

type Group = Report['countries' | 'divisions'][number]

/** In an order that says nothing of what is left out. */
function bySolvers<G extends Group>(groups: readonly G[]): Omit<G, 'active' | 'submissions'>[] {
  return groups
    .map(({ active: _active, submissions: _submissions, ...each }) => each)
    .toSorted((a, b) => b.solvers - a.solvers || b.solves - a.solves || b.teams - a.teams)
}
