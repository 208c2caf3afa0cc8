import { withRoom } from './columns.ts'
import type { Teams } from './teams.ts'

/** Places of one order, looked up by slot. */
export interface Places {
  /** By team slot, from 1; 0 for a team that is not ranked. */
  readonly global: Int32Array
  readonly inDivision: Int32Array
  /** Ranked slots of each division, best first, by the division's number. */
  readonly divisions: readonly Int32Array[]
}

/** Scores by team slot and the order that follows from them. */
export interface Standings {
  score: Float64Array
  /** Instants of the latest counted row on a tie-break challenge, and on any; infinite without one. */
  lastTie: Float64Array
  last: Float64Array
  /** Counted rows. A team with one is ranked. */
  counted: Int32Array
  /** Slots of the ranked teams, the first `ranked` entries, best first. */
  order: Int32Array
  ranked: number
  readonly spare: { members: Int32Array; others: Int32Array }
  /** Rises with each new order or score. */
  epoch: number
  /** Made when first asked for after a change. */
  places: Places | null
}

/** What the order follows from. */
export interface Ranking {
  readonly standings: Standings
  readonly teams: Teams
}

export function createStandings(): Standings {
  return {
    score: new Float64Array(0),
    lastTie: new Float64Array(0),
    last: new Float64Array(0),
    counted: new Int32Array(0),
    order: new Int32Array(0),
    ranked: 0,
    spare: { members: new Int32Array(0), others: new Int32Array(0) },
    epoch: 0,
    places: null,
  }
}

/** Makes room for as many teams as there are slots. */
export function reserveStandings(standings: Standings, teamSlots: number): void {
  standings.score = withRoom(standings.score, teamSlots)
  standings.lastTie = withRoom(standings.lastTie, teamSlots)
  standings.last = withRoom(standings.last, teamSlots)
  standings.counted = withRoom(standings.counted, teamSlots)
  standings.order = withRoom(standings.order, teamSlots)
  standings.spare.members = withRoom(standings.spare.members, teamSlots)
  standings.spare.others = withRoom(standings.spare.others, teamSlots)
}

/**
 * Negative when `a` stands before `b` (contract, admin 1.2): more points, earlier last tie-break row, earlier last
 * row, older team, lower id. Total: no two teams are equal, so there is one order and any way to it gives the same.
 */
export function compareTeams({ standings, teams }: Ranking, a: number, b: number): number {
  const byScore = (standings.score[b] as number) - (standings.score[a] as number)
  if (byScore !== 0) return byScore
  // Two infinite instants differ by NaN, which counts as equal here.
  const byTime =
    (standings.lastTie[a] as number) - (standings.lastTie[b] as number) ||
    (standings.last[a] as number) - (standings.last[b] as number)
  if (byTime) return byTime
  const [left, right] = [teams.rows[a], teams.rows[b]]
  if (!left || !right) return a - b
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1)
}

export function sortRanked(ranking: Ranking): void {
  const { order, ranked } = ranking.standings
  order.subarray(0, ranked).sort((a, b) => compareTeams(ranking, a, b))
}

/** Takes the given teams out of the order. */
export function withdraw({ standings }: Ranking, teams: ReadonlySet<number>): void {
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

/** Puts a team into its place among the ranked. */
export function enter(ranking: Ranking, team: number): void {
  const { standings } = ranking
  const { order } = standings
  let low = 0
  let high = standings.ranked
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTeams(ranking, order[middle] as number, team) < 0) low = middle + 1
    else high = middle
  }
  order.copyWithin(low + 1, low, standings.ranked)
  order[low] = team
  standings.ranked += 1
}

/**
 * Restores the order after all members moved by the same number of points: members keep their order among
 * themselves, and so do the others, so the two lists are merged. Ten times cheaper than sorting.
 */
export function mergeMoved(ranking: Ranking, isMember: (team: number) => boolean): void {
  const { order, ranked, spare } = ranking.standings
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
      (member < memberCount && compareTeams(ranking, members[member] as number, others[other] as number) < 0)
    order[to] = (isMemberNext ? members[member++] : others[other++]) as number
  }
}
