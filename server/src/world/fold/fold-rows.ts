import { keptOf, replaceRows } from '../kept-rows.ts'
import type { RowsChange, ScoreRow } from '../row-kind.ts'
import { setScoreRows } from '../score-rows.ts'
import { updateStandings } from '../standings.ts'
import { bumpBoard, type State } from '../state.ts'
import { updateReleases } from './releases.ts'

/** Replaces rows in place, and what follows from them. */
export function foldRows(state: State, change: RowsChange): void {
  const keys = replaceRows(state.rows, change)
  if (keys.length === 0) return
  if (change.of.releases) updateReleases(state)
  if (!change.of.score) return
  const moved = refreshScoreRows(state, keys)
  if (moved.size === 0) return
  updateStandings(state, new Set(), moved)
  bumpBoard(state, moved)
}

/** Fills an empty world. The caller computes the standings. */
export function loadScoreRows(state: State): void {
  refreshScoreRows(
    state,
    new Set([...state.rows].flatMap(([of, { byKey }]) => (of.score ? [...byKey.keys()] : []))),
  )
}

/** Drops the rows of a deleted team, whose slot is still known. The caller updates the standings. */
export function dropTeamRows(state: State, teamId: string): void {
  for (const of of state.rows.keys())
    if (of.isByTeam) replaceRows(state.rows, { kind: 'rows', of, keys: [teamId], rows: [] })
  refreshScoreRows(state, [teamId])
}

/** Reads the score rows of some teams again. Returns the slots of those that exist. */
function refreshScoreRows(state: State, teamIds: Iterable<string>): Set<number> {
  const scoring = [...state.rows.keys()].filter(({ score }) => score)
  const changed = new Map<number, ScoreRow[]>()
  for (const id of teamIds) {
    const slot = state.teams.slots.get(id)
    if (slot === undefined) continue
    const rows = scoring.flatMap(
      (of) =>
        keptOf(state.rows, of)
          .byKey.get(id)
          ?.map((row) => of.score?.(row)) ?? [],
    )
    changed.set(
      slot,
      rows.filter((row) => row !== undefined),
    )
  }
  setScoreRows(state, changed)
  return new Set(changed.keys())
}
