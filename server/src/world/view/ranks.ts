import { searchForm, type Ranks, type State } from '../state.ts'

/** The ranks of the current order. Cached until the order changes, so solves that nobody reads cost nothing. */
export function ranksOf({ standings, teams }: State): Ranks {
  if (standings.ranks) return standings.ranks
  const { order, ranked } = standings
  const global = new Int32Array(teams.rows.length)
  const inDivision = new Int32Array(teams.rows.length)
  const divisions = Array.from({ length: teams.divisions.size }, () => new Int32Array(ranked))
  const counts = new Int32Array(teams.divisions.size)
  for (let at = 0; at < ranked; at += 1) {
    const team = order[at] as number
    const division = teams.divisionOf[team] as number
    const list = divisions[division] as Int32Array
    const count = counts[division] as number
    list[count] = team
    counts[division] = count + 1
    global[team] = at + 1
    inDivision[team] = count + 1
  }
  standings.ranks = {
    global,
    inDivision,
    divisions: divisions.map((list, division) => list.slice(0, counts[division])),
  }
  return standings.ranks
}

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
