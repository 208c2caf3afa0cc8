import { ranksOf } from '../order.ts'
import { searchForm, type State } from '../state.ts'

/** Slots of the ranked teams, best first; of one division if it is given. */
export function rankedSlots(state: State, division: string | undefined): Int32Array {
  if (division === undefined) return state.standings.order.subarray(0, state.standings.ranked)
  const number = state.teams.divisions.get(division)
  const slots = number === undefined ? undefined : ranksOf(state).divisions[number]
  return slots ?? new Int32Array(0)
}

/** Exact matches of the name, then prefixes, then other matches; each by rank. */
export function searchSlots(state: State, text: string, division: string | undefined): number[] {
  const wanted = searchForm(text)
  const exact: number[] = []
  const prefix: number[] = []
  const other: number[] = []
  for (const slot of rankedSlots(state, division)) {
    const name = state.teams.searchNames[slot] ?? ''
    const at = name.indexOf(wanted)
    if (at < 0) continue
    if (at > 0) other.push(slot)
    else if (name.length === wanted.length) exact.push(slot)
    else prefix.push(slot)
  }
  return [...exact, ...prefix, ...other]
}
