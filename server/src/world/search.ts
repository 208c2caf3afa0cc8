import type { TeamRow } from './model.ts'
import { placesOf } from './places.ts'
import type { State } from './state.ts'
import { searchForm } from './teams.ts'

/** Slots of ranked teams by place, of one division when it is named. */
export function rankedSlots(state: State, division: string | undefined): Int32Array {
  if (division === undefined) return state.standings.order.subarray(0, state.standings.ranked)
  const number = state.teams.divisions.get(division)
  const slots = number === undefined ? undefined : placesOf(state).divisions[number]
  return slots ?? new Int32Array(0)
}

/** Exact matches of the name, then those that start with the text, then the others; each by place. */
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

export function idsOf({ teams }: State, slots: Iterable<number>): string[] {
  return Array.from(slots, (slot) => teams.rows[slot]?.id ?? '')
}

export function rowOf({ teams }: State, slot: number | undefined): TeamRow | undefined {
  return slot === undefined ? undefined : teams.rows[slot]
}
