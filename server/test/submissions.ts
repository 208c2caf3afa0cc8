import { asTeam } from './acting.ts'
import type { Submission } from '../src/features/contest/submissions/store.ts'
import { orderedId } from '../src/lib/uuid.ts'

/** A team's submission in the form that a batch takes. */
export function submissionOf(challengeId: string, teamId: string, isRight = true): Submission {
  return {
    id: orderedId(),
    solveId: isRight ? orderedId() : null,
    challengeId,
    teamId,
    ip: '203.0.113.7',
    ...asTeam,
    notAfter: null,
    details: { submittedFlag: 'flag{x}' },
  }
}
