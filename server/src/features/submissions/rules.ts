import type { FlagMatch } from '../../providers/flags/flags.ts'
import type { Challenge, WorldView } from '../../world/model.ts'

/** The challenge if it is public and accepts flags, otherwise null. */
export function findSolvable(world: WorldView, id: string): Challenge | null {
  const challenge = world.challenge(id)
  if (!challenge?.isPublic || challenge.scoringKind === 'dynamic') return null
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
