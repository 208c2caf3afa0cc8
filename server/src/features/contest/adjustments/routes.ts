import { badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/score-adjustments.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { isIn } from '../visibility/rules.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { adjustmentsOf } from './rows.ts'
import { publicReason } from './rules.ts'
import { insertAdjustment, readAdjustmentPage, undoAdjustment } from './store.ts'

export interface AdjustmentDeps {
  readonly db: Database
  readonly visibility: Visibility
  readonly now: () => number
}

export function adjustmentRoutes({ db, visibility, now }: AdjustmentDeps): Endpoint[] {
  return [
    on(contract.listScoreAdjustments, ({ params: { id }, team }) => {
      const { world: view, extent } = visibility.seenBy(team)
      const owner = view.team(id)
      // Reasons are part of the profile and of the score.
      if (!owner || !isIn(extent.profiles, owner.division) || !isIn(extent.board, owner.division))
        return badUnknownUser()
      const rows = adjustmentsOf(view, id).toReversed()
      return contract.goodScoreAdjustments({
        adjustments: rows.map((row) => {
          const { id: adjustment, points, kind, at } = row
          return { id: adjustment, points, reason: publicReason(view, row, team), kind, at }
        }),
      })
    }),

    on(contract.listAdminScoreAdjustments, async ({ query: { userId, limit, offset } }) =>
      contract.goodAdminScoreAdjustments(await readAdjustmentPage(db, { teamId: userId, limit, offset })),
    ),

    on(contract.createScoreAdjustment, async ({ body: { data }, team: { id: actorId }, ip }) => {
      const { userId: teamId, points, reason } = data
      const made = await insertAdjustment(db, { teamId, points, reason }, { actorId, ip, now: now() })
      if (made === 'unknown') return badUnknownUser()
      if (made === 'full') return contract.badScoreAdjustmentCount({ max: contract.adjustmentLimits.perTeam })
      return contract.goodScoreAdjustment({ adjustment: made })
    }),

    on(contract.undoScoreAdjustment, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const undone = await undoAdjustment(db, id, { actorId, ip, now: now() })
      if (undone === null) return contract.badScoreAdjustment()
      if (undone === 'undone') return contract.badScoreAdjustmentUndone()
      return contract.goodScoreAdjustmentUndo({ adjustment: undone })
    }),
  ]
}
