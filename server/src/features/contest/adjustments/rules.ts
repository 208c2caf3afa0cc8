import type { WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import type { Caller } from '../challenges/visible.ts'

type AdjustmentRow = ReturnType<WorldView['adjustmentsOfTeam']>[number]

const ANY_HINT = 'Hint'

/** The reason as a reader may see it: that of a hint's price names the challenge, which may be hidden or closed for the reader. */
export function publicReason(world: WorldView, row: AdjustmentRow, caller: Caller): string {
  if (row.kind !== 'hint') return row.reason
  const purchase = world.purchasesOf(row.teamId).find(({ adjustmentId }) => adjustmentId === row.id)
  const hint = purchase && world.hint(purchase.hintId)
  return hint && findPublicChallenge(world, hint.challengeId, caller) ? row.reason : ANY_HINT
}
