import type { FlagMatch } from '../../../providers/flags/flags.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import type { Caller } from '../challenges/visible.ts'

/** The challenge if it is public, open for the caller and accepts flags, otherwise null. */
export function findSolvable(world: WorldView, id: string, caller: Caller): Challenge | null {
  const challenge = findPublicChallenge(world, id, caller)
  if (!challenge || challenge.scoringKind === 'dynamic') return null
  return challenge.flags.length > 0 ? challenge : null
}

/**
 * What the audit stores of a submission (docs/reference/audit.md#audit-rows). The store drops everything but
 * the text unless the submission solves.
 */
export function auditDetails(
  submittedFlag: string,
  match: FlagMatch | null,
): { readonly submittedFlag: string } {
  return {
    submittedFlag,
    ...(match && {
      matchedFlagIndex: match.index,
      matchedFlagProvider: match.provider,
      matchedFlagConfig: match.config,
    }),
    ...(match?.cheatedFrom && { cheatedFrom: match.cheatedFrom }),
  }
}
