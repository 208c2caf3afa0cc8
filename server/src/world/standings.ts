import { addAdjustments, adjustmentsOf, type AdjustmentRow } from './adjustments.ts'
import { withRoom } from './columns.ts'
import { findSolve } from './solves.ts'
import type { Entry, Standings, State } from './state.ts'
import { countSolves, isDynamic, mostSolves, price, reprice, type Shift } from './values.ts'

// The standings as a whole: scores of teams from the values of challenges, and their order. Functions that return
// nothing apply in place.

/** Above this many repriced challenges or moved teams, one sort is cheaper than a merge or an insertion for each. */
const MAX_MERGES = 6
const MAX_INSERTIONS = 64

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
    ranks: null,
  }
}

/** Makes room for as many teams as there are slots. */
function reserveStandings(standings: Standings, teamSlots: number): void {
  standings.score = withRoom(standings.score, teamSlots)
  standings.lastTie = withRoom(standings.lastTie, teamSlots)
  standings.last = withRoom(standings.last, teamSlots)
  standings.counted = withRoom(standings.counted, teamSlots)
  standings.order = withRoom(standings.order, teamSlots)
  standings.spare.members = withRoom(standings.spare.members, teamSlots)
  standings.spare.others = withRoom(standings.spare.others, teamSlots)
}

/** Computes values, scores and order from the rows. For changes of visibility, times, points or bans. */
export function recomputeStandings(state: State): void {
  const { standings, teams, challenges } = state
  for (const entry of challenges.sorted) countSolves(state, entry)
  const maxSolves = mostSolves(state)
  for (const entry of challenges.sorted) price(state, entry, maxSolves)
  resetScores(standings, teams.rows.length)
  for (const entry of challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addFeedScores(state, entry)
    else addSolves(state, entry, entry)
  }
  for (const team of state.adjustments.byTeam.keys()) {
    addAdjustments(standings, team, adjustmentsOf(state, team))
  }
  standings.ranked = 0
  for (let team = 0; team < teams.rows.length; team += 1) {
    setMissingTimes(standings, team)
    if (standings.counted[team] !== 0) standings.order[standings.ranked++] = team
  }
  sortRanked(state)
  clearRanks(standings)
}

/**
 * Updates the standings after solves or feed scores of the `moved` teams on some challenges were added, removed or
 * changed. Its cost depends on the solvers of repriced challenges, not on all solves.
 */
export function updateStandings(state: State, entries: ReadonlySet<Entry>, moved: ReadonlySet<number>): void {
  const { standings } = state
  reserveStandings(standings, state.teams.rows.length)
  removeRanked(standings, moved)
  const shifts = reprice(state, entries)
  const isSorting = shifts.length > MAX_MERGES
  for (const shift of shifts) {
    shiftScores(state, shift)
    if (!isSorting) mergeMoved(state, (team) => hasCountedSolve(state, shift.entry, team))
  }
  for (const team of moved) {
    const rowOn = (entry: Entry) => countedRow(state, entry, team)
    recomputeTeam(state, team, { rowOn, adjustments: adjustmentsOf(state, team) })
  }
  const returning = [...moved].filter((team) => standings.counted[team] !== 0)
  if (isSorting || returning.length > MAX_INSERTIONS) {
    for (const team of returning) standings.order[standings.ranked++] = team
    sortRanked(state)
  } else {
    for (const team of returning) insertRanked(state, team)
  }
  clearRanks(standings)
}

/** Sets all scores to those of teams without a counted row. */
export function resetScores(standings: Standings, teamSlots: number): void {
  reserveStandings(standings, teamSlots)
  standings.score.fill(0)
  standings.counted.fill(0)
  standings.last.fill(-Infinity)
  standings.lastTie.fill(-Infinity)
}

function clearRanks(standings: Standings): void {
  standings.epoch += 1
  standings.ranks = null
}

/** Adds the first `counted` solves of the challenge, each worth `points`. */
export function addSolves(
  { standings, solves }: Pick<State, 'standings' | 'solves'>,
  entry: Entry,
  worth: { readonly counted: number; readonly points: number },
): void {
  const { score, counted, last } = standings
  const { points } = worth
  // Without tie-break eligibility both names mean the same column, which keeps the branch out of the loop.
  const lastTie = entry.row.tiebreakEligible ? standings.lastTie : last
  for (let index = 0; index < worth.counted; index += 1) {
    const slot = entry.solves[index] as number
    const team = solves.team[slot] as number
    const at = solves.at[slot] as number
    score[team] = (score[team] as number) + points
    counted[team] = (counted[team] as number) + 1
    if (at > (last[team] as number)) last[team] = at
    if (at > (lastTie[team] as number)) lastTie[team] = at
  }
}

function addFeedScores({ standings, teams }: State, entry: Entry): void {
  for (const [team, { points, scoredAt }] of entry.feed.scores) {
    if (!teams.rows[team]?.banned) addRow(standings, entry, { team, points, at: scoredAt })
  }
}

/** Shifts the score of every team that solved the challenge; those of moved teams are recomputed afterwards. */
function shiftScores({ standings, solves }: State, { entry, shift }: Shift): void {
  const { score } = standings
  for (let index = 0; index < entry.counted; index += 1) {
    const team = solves.team[entry.solves[index] as number] as number
    score[team] = (score[team] as number) + shift
  }
}

function hasCountedSolve({ solves, endTime }: State, entry: Entry, team: number): boolean {
  const slot = findSolve(entry, team)
  if (slot < 0) return false
  return entry.counted === entry.solvesLength || (solves.at[slot] as number) <= endTime
}

/** What counts for a team on one challenge: its solve or its score of a feed. */
interface CountedRow {
  readonly points: number
  readonly at: number
}

/** The team's counted row on a public challenge, or null. */
export function countedRow(state: State, entry: Entry, team: number): CountedRow | null {
  if (state.teams.rows[team]?.banned ?? true) return null
  if (isDynamic(entry)) {
    const score = entry.feed.scores.get(team)
    return score ? { points: score.points, at: score.scoredAt } : null
  }
  if (!hasCountedSolve(state, entry, team)) return null
  return { points: entry.points, at: state.solves.at[findSolve(entry, team)] ?? 0 }
}

/** What a team's score consists of. */
interface ScoreParts {
  readonly rowOn: (entry: Entry) => CountedRow | null
  readonly adjustments: readonly AdjustmentRow[]
}

/** Recomputes a team's score, number of rows and latest times from its counted rows on the public challenges. */
export function recomputeTeam(
  { standings, challenges }: Pick<State, 'standings' | 'challenges'>,
  team: number,
  { rowOn, adjustments }: ScoreParts,
): void {
  standings.score[team] = 0
  standings.counted[team] = 0
  standings.last[team] = -Infinity
  standings.lastTie[team] = -Infinity
  for (const entry of challenges.sorted) {
    const row = entry.isPublic ? rowOn(entry) : null
    if (row) addRow(standings, entry, { team, ...row })
  }
  addAdjustments(standings, team, adjustments)
  setMissingTimes(standings, team)
}

export function addRow(
  standings: Standings,
  entry: Entry,
  { team, points, at }: CountedRow & { readonly team: number },
): void {
  const { score, counted, last, lastTie } = standings
  score[team] = (score[team] ?? 0) + points
  counted[team] = (counted[team] ?? 0) + 1
  last[team] = Math.max(last[team] ?? at, at)
  if (entry.row.tiebreakEligible) lastTie[team] = Math.max(lastTie[team] ?? at, at)
}

/** A team without a counted row ranks last among equal scores. */
export function setMissingTimes({ last, lastTie }: Standings, team: number): void {
  if (last[team] === -Infinity) last[team] = Infinity
  if (lastTie[team] === -Infinity) lastTie[team] = Infinity
}

// Order of the ranked teams

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

function sortRanked(state: State): void {
  const { order, ranked } = state.standings
  order.subarray(0, ranked).sort((a, b) => compareTeams(state, a, b))
}

function removeRanked(standings: Standings, teams: ReadonlySet<number>): void {
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

function insertRanked(state: State, team: number): void {
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
function mergeMoved(state: State, isMember: (team: number) => boolean): void {
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
