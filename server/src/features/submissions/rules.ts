import type { FlagMatch } from '../../providers/flags/flags.ts'
import type { Challenge, WorldView } from '../../world/model.ts'

/** The challenge if flags can be submitted to it. */
export function findSolvable(world: WorldView, id: string): Challenge | null {
  const challenge = world.challenge(id)
  if (!challenge?.isPublic || challenge.scoringKind === 'dynamic') return null
  return challenge.flags.length > 0 ? challenge : null
}

/** What the audit keeps of a submission (contract, admin B.5). The store drops all but the text unless it solves. */
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
