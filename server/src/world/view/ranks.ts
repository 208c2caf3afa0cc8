import { ranksOf } from '../order.ts'
import { searchForm, type Ranks, type State } from '../state.ts'
import { trackSet } from '../tracks.ts'

/** Which of the ranked teams are read. */
export interface Group {
  readonly division?: string | undefined
  /** Of the main standings without it. */
  readonly tracks?: readonly string[] | undefined
}

/** The ranks among the teams of some tracks, or those of the main standings. */
export function ranksAmong(state: State, tracks: readonly string[] | undefined): Ranks {
  return ranksOf(state, tracks && trackSet(state.teams.tracks, tracks))
}

/** Slots of the ranked teams, best first. */
export function rankedSlots(state: State, { division, tracks }: Group): Int32Array {
  const ranks = ranksAmong(state, tracks)
  if (division === undefined) return ranks.order
  const number = state.teams.divisions.get(division)
  const slots = number === undefined ? undefined : ranks.divisions[number]
  return slots ?? new Int32Array(0)
}

/** Exact matches of the name, then prefixes, then other matches; each by rank. */
export function searchSlots(state: State, text: string, group: Group): number[] {
  const wanted = searchForm(text)
  const exact: number[] = []
  const prefix: number[] = []
  const other: number[] = []
  for (const slot of rankedSlots(state, group)) {
    const name = state.teams.searchNames[slot] ?? ''
    const at = name.indexOf(wanted)
    if (at < 0) continue
    if (at > 0) other.push(slot)
    else if (name.length === wanted.length) exact.push(slot)
    else prefix.push(slot)
  }
  return [...exact, ...prefix, ...other]
}
