import { groupBy } from '../../lib/group-by.ts'
import { setAdjustments, type AdjustmentRow } from '../adjustments.ts'
import type { Change } from '../model.ts'
import { updateStandings } from '../standings.ts'
import { bumpBoard, type State } from '../state.ts'

type AdjustmentsChange = Extract<Change, { readonly kind: 'adjustments' }>

/** Replaces the adjustments of the named teams in place. */
export function foldAdjustments(state: State, { teamIds, rows }: AdjustmentsChange): void {
  const rowsOf = groupBy(rows, ({ teamId }) => teamId)
  const moved = new Set<number>()
  for (const id of teamIds) {
    const team = state.teams.slots.get(id)
    if (team !== undefined && setAdjustments(state, team, rowsOf.get(id) ?? [])) moved.add(team)
  }
  if (moved.size === 0) return
  updateStandings(state, new Set(), moved)
  bumpBoard(state, moved)
}

/** Fills an empty world. */
export function loadAdjustments(state: State, rows: readonly AdjustmentRow[]): void {
  for (const [id, own] of groupBy(rows, ({ teamId }) => teamId)) {
    const team = state.teams.slots.get(id)
    if (team !== undefined) setAdjustments(state, team, own)
  }
}
