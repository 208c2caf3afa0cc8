import type { TeamEligibility } from '@pennant/contract/custom-fields.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import type { RuleResult } from './eligibility.ts'

/** For the team: not which organiser decided. */
export function eligibilityView({
  rule,
  result,
  reasons,
  decision,
}: RuleResult): z.input<typeof TeamEligibility> {
  return {
    rule,
    result,
    reasons: [...reasons],
    decision: decision && {
      result: decision.result,
      reason: decision.reason,
      decidedAt: decision.decidedAt,
    },
  }
}

export function adminEligibilityView(world: WorldView, found: RuleResult) {
  const { decision } = found
  const name = decision?.decidedBy == null ? null : (world.team(decision.decidedBy)?.name ?? null)
  const view = eligibilityView(found)
  return { ...view, decision: view.decision && { ...view.decision, decidedBy: name } }
}
