import { groupBy } from '../../../../lib/group-by.ts'
import type { AttemptFact, Facts } from './facts.ts'

/** The right flags of each challenge, in order of time. */
export function solvesByChallenge({ attempts }: Facts): ReadonlyMap<string, readonly AttemptFact[]> {
  return groupBy(
    attempts.filter(({ result }) => result === 'correct'),
    ({ challengeId }) => challengeId,
  )
}
