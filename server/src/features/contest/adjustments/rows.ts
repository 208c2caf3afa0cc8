import type { AdjustmentKind } from '@pennant/contract/score-adjustments.ts'
import sql, { empty } from 'sql-template-tag'
import type { z } from 'zod'
import type { Queries } from '../../../db/database.ts'
import type { RowKind, RowsByKey } from '../../../world/row-kind.ts'
import type { WorldView } from '../../../world/model.ts'
import { millis } from '../../../world/rows.ts'

// Points that organisers award or deduct: docs/decisions/0038-store-score-adjustments-as-rows.md

/** Points that organisers awarded or deducted. */
export interface AdjustmentRow {
  readonly id: string
  readonly teamId: string
  /** Not zero; negative if deducted. */
  readonly points: number
  readonly reason: string
  readonly kind: z.output<typeof AdjustmentKind>
  readonly at: number
}

/** By team, oldest first. */
export const adjustmentRows: RowKind<AdjustmentRow, RowsByKey<AdjustmentRow>> = {
  kind: 'adjustments',
  read: readAdjustments,
  keyOf: ({ teamId }) => teamId,
  compare: (a, b) => a.at - b.at || (a.id < b.id ? -1 : 1),
  slice: (rows) => rows,
  isByTeam: true,
  score: ({ id, points, at }) => ({ id, points, at }),
  isIncludedAt: ({ at }, time) => at <= time,
}

/** What organisers awarded to or deducted from a team, oldest first; empty while it is banned. */
export function adjustmentsOf(
  world: Pick<WorldView, 'rows' | 'team'>,
  teamId: string,
): readonly AdjustmentRow[] {
  const isCounted = world.team(teamId)?.banned === false
  return isCounted ? (world.rows(adjustmentRows).get(teamId) ?? []) : []
}

/** Those of the given teams, or all; without those that were undone. */
export function readAdjustments(db: Queries, teamIds?: readonly string[]): Promise<AdjustmentRow[]> {
  return db.query<AdjustmentRow>(sql`
    select id, team_id as "teamId", points, reason, kind, ${millis('at')} as at
    from score_adjustments where undone_at is null ${teamIds ? sql`and team_id = any(${teamIds})` : empty}`)
}
