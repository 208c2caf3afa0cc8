import type { Change } from '../model.ts'
import { removeSolve, upsertSolve, type SolveKey } from '../solves.ts'
import { updateStandings } from '../standings.ts'
import { bumpBoard, type Entry, type State } from '../state.ts'
import { rankLatestSolves, type RankedSolve } from './solve-ranks.ts'

type SolvesChange = Extract<Change, { readonly kind: 'solves' }>

/** Applies changed solves in place. */
export function foldSolves(state: State, { rows, removed }: SolvesChange): void {
  /** The standings depend on these. Solves of banned teams do not count. */
  const changed = { entries: new Set<Entry>(), teams: new Set<number>() }
  /** Teams whose solves read differently, banned teams and recorded ranks included. */
  const readers = new Set<number>()
  const added: RankedSolve[] = []
  let isShown = false
  const markChanged = ({ entry, team }: SolveKey) => {
    if (state.teams.rows[team]?.banned) return
    changed.entries.add(entry)
    changed.teams.add(team)
  }

  for (const row of removed) {
    const key = keyOf(state, row)
    if (!key || !removeSolve(state, key)) continue
    readers.add(key.team)
    isShown ||= key.entry.isPublic
    markChanged(key)
  }
  for (const row of rows) {
    const key = keyOf(state, row)
    if (!key) continue
    const { slot, changed: change } = upsertSolve(state, row, key)
    if (change === 'nothing') continue
    readers.add(key.team)
    isShown ||= key.entry.isPublic
    if (change === 'marks') continue
    markChanged(key)
    added.push({ slot, ...key })
  }
  if (readers.size === 0) return
  if (changed.teams.size > 0) updateStandings(state, changed.entries, changed.teams)
  rankLatestSolves(state, added)
  bumpBoard(state, readers, isShown)
}

/** Null if the world does not know the challenge or the team. */
function keyOf(
  { challenges, teams }: State,
  row: { readonly challengeId: string; readonly teamId: string },
): SolveKey | null {
  const entry = challenges.byId.get(row.challengeId)
  const team = teams.slots.get(row.teamId)
  return entry && team !== undefined ? { entry, team } : null
}
