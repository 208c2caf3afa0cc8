import type { Standings, State } from './state.ts'

// The order of the ranked teams. All functions but the comparison apply in place.

/**
 * Negative if `a` ranks before `b` (docs/reference/scoring.md#order-and-ties): more points, earlier last
 * tie-break row, earlier last row, older team, lower id. No two teams compare equal, so the result does not depend on
 * how it is computed.
 */
export function compareTeams(
  { standings, teams }: Pick<State, 'standings' | 'teams'>,
  a: number,
  b: number,
): number {
  const byScore = (standings.score[b] as number) - (standings.score[a] as number)
  if (byScore !== 0) return byScore
  // The difference of two infinities is NaN, which is falsy: equal.
  const byTime =
    (standings.lastTie[a] as number) - (standings.lastTie[b] as number) ||
    (standings.last[a] as number) - (standings.last[b] as number)
  if (byTime) return byTime
  const [left, right] = [teams.rows[a], teams.rows[b]]
  if (!left || !right) return a - b
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1)
}

export function sortRanked(state: State): void {
  const { order, ranked } = state.standings
  order.subarray(0, ranked).sort((a, b) => compareTeams(state, a, b))
}

export function removeRanked(standings: Standings, teams: ReadonlySet<number>): void {
  const { order } = standings
  let kept = 0
  for (let from = 0; from < standings.ranked; from += 1) {
    const team = order[from] as number
    if (teams.has(team)) continue
    order[kept] = team
    kept += 1
  }
  standings.ranked = kept
}

export function insertRanked(state: State, team: number): void {
  const { standings } = state
  const { order } = standings
  let low = 0
  let high = standings.ranked
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTeams(state, order[middle] as number, team) < 0) low = middle + 1
    else high = middle
  }
  order.copyWithin(low + 1, low, standings.ranked)
  order[low] = team
  standings.ranked += 1
}

/**
 * Restores the order after all members moved by the same number of points: neither the order among members nor that
 * among the others changes, so the two lists are merged. Ten times faster than sorting.
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
