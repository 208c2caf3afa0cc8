import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { AnswersOf } from '@pennant/contract/route.ts'
import { badChallenge, badEnded, badPerms, badRateLimit, badUnknownUser } from '@pennant/contract/replies.ts'
import { badAlreadySolvedChallenge, badFlag, goodFlag, submitFlag } from '@pennant/contract/submissions.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import type { Buckets, BucketSize } from '../../lib/key-value.ts'
import { orderedId } from '../../lib/uuid.ts'
import type { Flags } from '../../providers/flags/flags.ts'
import type { WorldView } from '../../world/model.ts'
import { createRecorder, type RecorderDeps } from './recorder.ts'
import { auditDetails, findSolvable } from './rules.ts'
import type { Outcome } from './store.ts'

export interface SubmissionDeps extends RecorderDeps {
  readonly world: () => WorldView
  readonly buckets: Buckets
  readonly now: () => number
  readonly flags: Pick<Flags, 'findMatch'>
}

/** Specification, "Limits": flag submission rate, per team and challenge. */
const FLAG_BUCKET: BucketSize = { burst: 5, windowMs: 25_000 }

const answers: Readonly<Record<Outcome, () => AnswersOf<typeof submitFlag>>> = {
  correct: goodFlag,
  already_solved: badAlreadySolvedChallenge,
  incorrect: badFlag,
  banned: badPerms,
  no_team: badUnknownUser,
  no_challenge: badChallenge,
}

/** The order of checks is the contract's (participant 11.3). */
export function submissionRoutes(deps: SubmissionDeps): Endpoint[] {
  const { world, buckets, flags, now } = deps
  const record = createRecorder(deps)
  return [
    on(submitFlag, async ({ params: { id }, body: { flag: text }, team, ip }) => {
      const view = world()
      // Admins may submit after the end, and their solves say so.
      const notAfter = hasPermissions(team.perms, ['challsWrite']) ? null : view.endTime
      // The gate let the request in before its body came.
      if (notAfter !== null && now() >= notAfter) return badEnded()
      // The commit looks again: a team made or banned elsewhere a moment ago may not have come here yet.
      if (view.team(team.id)?.banned ?? team.banned) return badPerms()
      const challenge = findSolvable(view, id)
      if (!challenge) return badChallenge()
      const timeLeft = await buckets.take(`flag:${team.id}:${id}`, FLAG_BUCKET)
      if (timeLeft > 0) return badRateLimit({ timeLeft })
      const match = await flags.findMatch(challenge.flags, { challengeId: id, teamId: team.id, text })
      const outcome = await record({
        id: orderedId(),
        solveId: match ? orderedId() : null,
        challengeId: id,
        teamId: team.id,
        ip,
        notAfter,
        details: auditDetails(text, match),
      })
      return answers[outcome]()
    }),
  ]
}
