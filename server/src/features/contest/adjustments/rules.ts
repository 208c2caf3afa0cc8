import type { WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import type { Caller } from '../challenges/visible.ts'
import { hintRows, purchasesOf } from '../hints/rows.ts'
import type { AdjustmentRow } from './rows.ts'

const ANY_HINT = 'Hint'

/** The reason as a reader may see it: that of a hint's price names the challenge, which may be hidden or closed for the reader. */
export function publicReason(world: WorldView, row: AdjustmentRow, caller: Caller): string {
  if (row.kind !== 'hint') return row.reason
  const purchase = purchasesOf(world, row.teamId).find(({ adjustmentId }) => adjustmentId === row.id)
  const hint = purchase && world.rows(hintRows).byId.get(purchase.hintId)
  return hint && findPublicChallenge(world, hint.challengeId, caller) ? row.reason : ANY_HINT
}
