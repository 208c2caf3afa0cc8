import * as contract from '@pennant/contract/hints.ts'
import { badChallenge, badEnded, badNotStarted, badPerms } from '@pennant/contract/replies.ts'
import type { ResponsesOf } from '@pennant/contract/route.ts'
import { adjustmentLimits, badScoreAdjustmentCount } from '@pennant/contract/score-adjustments.ts'
import { actingOf, on, type Endpoint } from '../../../http/handler.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import { createPurchases, type PurchaseDeps } from './purchases.ts'
import { knownHints, payableScore, type Refusal } from './rules.ts'
import { hintView } from './views.ts'
import { purchasesOf } from './rows.ts'

export function hintRoutes(deps: PurchaseDeps): Endpoint[] {
  const { world, shown, now } = deps
  const buy = createPurchases(deps)
  return [
    on(contract.listHints, ({ params: { id }, team }) => {
      const view = world()
      if (!findPublicChallenge(view, id, team)) return badChallenge()
      const { hints, paid } = knownHints(view, id, { teamId: team?.id ?? null, now: now() })
      const score = team && payableScore({ live: view, shown: shown() }, team.id)
      return contract.goodHints({ hints: hints.map((hint) => hintView(hint, paid.get(hint.id))), score })
    }),

    on(contract.buyHint, async ({ params: { id, hintId }, body: { price }, team }) => {
      const decision = await buy({
        challengeId: id,
        hintId,
        teamId: team.id,
        ...actingOf(team),
        price,
      })
      if (decision.kind === 'refused') return refusalOf(decision.why)
      const charged = decision.kind === 'buy' ? decision.hint.price : 0
      const paid = purchasesOf(world(), team.id).find((purchase) => purchase.hintId === hintId)
      // The world may lag behind the commit if the change log could not be read.
      const { id: boughtId, text } = decision.hint
      return contract.goodHint({
        hint: {
          id: boughtId,
          price: paid?.price ?? charged,
          bought: charged > 0 || paid !== undefined,
          text,
        },
        charged,
      })
    }),
  ]
}

function refusalOf(why: Refusal): ResponsesOf<typeof contract.buyHint> {
  if (typeof why === 'object') return contract.badHintPrice(why)
  switch (why) {
    case 'challenge':
      return badChallenge()
    case 'hint':
      return contract.badHint()
    case 'banned':
      return badPerms()
    case 'notStarted':
      return badNotStarted()
    case 'ended':
      return badEnded()
    case 'solved':
      return contract.badHintSolved()
    case 'full':
      return badScoreAdjustmentCount({ max: adjustmentLimits.perTeam })
    case 'points':
      return contract.badHintPoints()
  }
}
