import sql, { type Sql } from 'sql-template-tag'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { adjustmentRows } from '../adjustments/rows.ts'
import { hintRows, purchaseRows } from '../hints/rows.ts'

/**
 * Gives the teams back what they paid for some hints (`h`), which the caller then deletes with their purchases. Returns the number of
 * purchases.
 */
export async function refundHints(tx: ChangeTransaction, which: Sql, { actorId }: ActionBy): Promise<number> {
  const hints = await tx.query<{ id: string }>(sql`select h.id from hints h where ${which}`)
  if (hints.length === 0) return 0
  const ids = hints.map(({ id }) => id)
  const bought = await tx.query<{ hintId: string; teamId: string; adjustmentId: string }>(sql`
    select hint_id as "hintId", team_id as "teamId", adjustment_id as "adjustmentId"
    from hint_purchases where hint_id = any(${ids})`)
  tx.changed(hintRows, ids)
  if (bought.length === 0) return 0
  const adjustmentIds = bought.map(({ adjustmentId }) => adjustmentId)
  await tx.query(sql`
    update score_adjustments set undone_at = clock_timestamp(), undone_by = ${actorId}
    where id = any(${adjustmentIds}) and undone_at is null`)
  tx.changed(
    purchaseRows,
    bought.flatMap(({ hintId, teamId }) => [hintId, teamId]),
  )
  tx.changed(adjustmentRows, [...new Set(bought.map(({ teamId }) => teamId))])
  return bought.length
}
