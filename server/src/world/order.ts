import type { Ranks, Standings, State } from './state.ts'
import { isInSet, type TrackSet } from './tracks.ts'

// Order of the ranked teams. Functions that return nothing apply in place.

type Ranked = Pick<State, 'standings' | 'teams'>

/**
 * Negative if `a` ranks before `b` (docs/reference/scoring.md#order-and-ties): more points, earlier last
 * tie-break row, earlier last row, older team, lower id. No two teams compare equal, so the result does not depend on
 * how it is computed.
 */
export function compareTeams({ standings, teams }: Ranked, a: number, b: number): number {
  const byScore = (standings.score[b] as number) - (standings.score[a] as number)
  if (byScore !== 0) return byScore
  // The difference of two infinities is NaN, which is falsy: equal.
  const byTime =
    (standings.lastTie[a] as number) - (standings.lastTie[b] as number) ||
    (standings.last[a] as number) - (standings.last[b] as number)
  return byTime || compareAges(teams, a, b)
}

/** Negative if team `a` is older, or as old with a lower id. */
export function compareAges({ rows }: State['teams'], a: number, b: number): number {
  const [left, right] = [rows[a], rows[b]]
  if (!left || !right || a === b) return a - b
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1)
}

/**
 * Sorts by score natively as numeric keys, which is ten times faster than a comparator, and then the teams with equal
 * scores.
 */
export function sortRanked(state: Ranked): void {
  const { order, ranked, score } = state.standings
  const slots = order.subarray(0, ranked)
  const keys = keysOf(slots, score)
  if (!keys) return void slots.sort((a, b) => compareTeams(state, a, b))
  keys.sort()
  const before = slots.slice()
  for (let index = 0; index < ranked; index += 1)
    slots[index] = before[(keys[index] as number) % ranked] as number
  sortTies(state, slots)
}

/** Packs score and index into one number, best first; null if they do not fit or scores are not whole. */
function keysOf(slots: Int32Array, score: Float64Array): Float64Array | null {
  let highest = -Infinity
  let lowest = Infinity
  for (const slot of slots) {
    const points = score[slot] as number
    if (!Number.isInteger(points)) return null
    highest = Math.max(highest, points)
    lowest = Math.min(lowest, points)
  }
  if ((highest - lowest + 1) * slots.length > Number.MAX_SAFE_INTEGER) return null
  const keys = new Float64Array(slots.length)
  for (let index = 0; index < slots.length; index += 1)
    keys[index] = (highest - (score[slots[index] as number] as number)) * slots.length + index
  return keys
}

/** Sorts each run of equal scores. */
function sortTies(state: Ranked, slots: Int32Array): void {
  const { score } = state.standings
  const compare = (a: number, b: number) => compareTeams(state, a, b)
  let start = 0
  let isSorted = true
  for (let end = 1; end <= slots.length; end += 1) {
    const last = slots[end - 1] as number
    const next = slots[end]
    if (next !== undefined && score[next] === score[last]) {
      isSorted &&= compare(last, next) < 0
      continue
    }
    if (!isSorted) slots.subarray(start, end).sort(compare)
    start = end
    isSorted = true
  }
}

/** Above this, one pass over the order is cheaper than searching each team. */
const MAX_SEARCHES = 256

/** Must be called before the values of the teams change. Ignores teams that are not ranked. */
export function removeRanked(state: Ranked, teams: ReadonlySet<number>): void {
  const { standings } = state
  if (teams.size > MAX_SEARCHES) return removeMarked(standings, teams)
  const positions: number[] = []
  for (const team of teams) {
    const position = positionOf(state, team, standings.ranked)
    if (position < standings.ranked && standings.order[position] === team) positions.push(position)
  }
  positions.sort((a, b) => a - b)
  // Each part of the order between two removed teams moves once.
  for (const [index, position] of positions.entries())
    standings.order.copyWithin(position - index, position + 1, positions[index + 1] ?? standings.ranked)
  standings.ranked -= positions.length
}

function removeMarked(standings: Standings, teams: ReadonlySet<number>): void {
  const { order } = standings
  const { isMarked } = standings.spare
  for (const team of teams) isMarked[team] = 1
  let kept = 0
  for (let from = 0; from < standings.ranked; from += 1) {
    const team = order[from] as number
    order[kept] = team
    kept += 1 - (isMarked[team] as number)
  }
  standings.ranked = kept
  for (const team of teams) isMarked[team] = 0
}

/** The position of a team among the first `end` ones, or where it would be inserted. */
function positionOf(state: Ranked, team: number, end: number): number {
  const { order } = state.standings
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTeams(state, order[middle] as number, team) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts teams that are not in the order, in one pass. */
export function insertRanked(state: State, teams: number[]): void {
  const { standings } = state
  const { order } = standings
  teams.sort((a, b) => compareTeams(state, a, b))
  let end = standings.ranked
  standings.ranked += teams.length
  // From the last one, so that each part of the order moves once.
  for (let left = teams.length; left > 0; left -= 1) {
    const team = teams[left - 1] as number
    const position = positionOf(state, team, end)
    order.copyWithin(position + left, position, end)
    order[position + left - 1] = team
    end = position
  }
}

/**
 * Restores the order after all members moved by the same number of points: neither the order among members nor that
 * among the others changes, so the two lists are merged.
 */
export function mergeMoved(state: State, isMember: (team: number) => boolean): void {
  const { order, ranked, spare } = state.standings
  const { members, others } = spare
  let memberCount = 0
  for (let from = 0; from < ranked; from += 1) {
    const team = order[from] as number
    if (isMember(team)) members[memberCount++] = team
    else others[from - memberCount] = team
  }
  const otherCount = ranked - memberCount
  let member = 0
  let other = 0
  for (let to = 0; to < ranked; to += 1) {
    const isMemberNext =
      other === otherCount ||
      (member < memberCount && compareTeams(state, members[member] as number, others[other] as number) < 0)
    order[to] = (isMemberNext ? members[member++] : others[other++]) as number
  }
}

/** Sets of tracks whose ranks are kept for one version of the standings. */
const MAX_RANKS = 8

/**
 * The ranks of the current order among the teams of some tracks, by default of those that are in the main standings. Cached until the
 * order changes, so solves that no one reads cost nothing.
 */
export function ranksOf(state: Ranked, tracks: TrackSet = state.teams.tracks.ranked): Ranks {
  const { standings } = state
  standings.ranks ??= new Map()
  const known = standings.ranks.get(tracks)
  if (known) return known
  if (standings.ranks.size >= MAX_RANKS) standings.ranks.clear()
  const ranks = rankAmong(state, orderOf(state, tracks))
  standings.ranks.set(tracks, ranks)
  return ranks
}

function orderOf({ standings: { order, ranked }, teams }: Ranked, tracks: TrackSet): Int32Array {
  const all = order.subarray(0, ranked)
  return tracks === teams.tracks.all ? all : all.filter((team) => isInSet(teams, team, tracks))
}

function rankAmong({ teams }: Ranked, order: Int32Array): Ranks {
  const ranked = order.length
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
  return {
    order,
    global,
    inDivision,
    divisions: divisions.map((list, division) => list.slice(0, counts[division])),
  }
}
