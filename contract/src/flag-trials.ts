import { z } from 'zod'
import { ChallengeId } from './fields.ts'
import { organiserRoute, reply } from './route.ts'
import { MAX_FLAG_LENGTH } from './submissions.ts'

// Organisers try flags without submitting them: docs/reference/administration.md#trying-flags

/** More than an event has challenges. */
export const MAX_FLAG_TRIALS = 500

const FlagTrial = z.object({ challengeId: ChallengeId, flag: z.string().max(MAX_FLAG_LENGTH) })

const FlagTrialResult = z.object({
  challengeId: z.string(),
  outcome: z
    .enum(['accepted', 'refused', 'noFlag', 'noChallenge'])
    .describe(
      '`noFlag`: it has no flags, or receives pushed scores instead. `noChallenge`: there is none with this id.',
    ),
  matchedFlagIndex: z
    .int()
    .nullable()
    .describe('The first entry of `flags` that accepts it; null if none does.'),
})

export const goodFlagTrials = reply(
  200,
  'goodFlagTrials',
  'What a submission would lead to. Nothing was submitted.',
  z.object({ trials: z.array(FlagTrialResult).max(MAX_FLAG_TRIALS) }),
)

export const tryFlags = organiserRoute({
  method: 'POST',
  path: '/api/v2/admin/flag-trials',
  summary: 'Checks flags as a submission would, hidden challenges included, without submitting them.',
  // Whoever may read a flag may try it.
  perms: ['challsRead'],
  scope: 'challenges:read',
  body: z.object({ data: z.object({ trials: z.array(FlagTrial).min(1).max(MAX_FLAG_TRIALS) }) }),
  bodyCap: 'admin',
  replies: [goodFlagTrials],
})

export const flagTrialRouteList = [tryFlags] as const
