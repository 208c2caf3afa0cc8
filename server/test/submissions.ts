import type { Submission } from '../src/features/submissions/store.ts'
import { orderedId } from '../src/lib/uuid.ts'

/** A flag that a team sent, as a batch takes it. */
export function submissionOf(challengeId: string, teamId: string, isRight = true): Submission {
  return {
    id: orderedId(),
    solveId: isRight ? orderedId() : null,
    challengeId,
    teamId,
    ip: '203.0.113.7',
    notAfter: null,
    details: { submittedFlag: 'flag{x}' },
  }
}
