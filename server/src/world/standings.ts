import { withRoom } from './columns.ts'
import type { ScoreRow } from './row-kind.ts'
import { addScoreRows, scoreRowsOf } from './score-rows.ts'
import { findSolve } from './solves.ts'
import type { Entry, Standings, State } from './state.ts'
import { insertRanked, mergeMoved, removeRanked, sortRanked } from './order.ts'
import { countSolves, isDynamic, maxSolvesOf, price, reprice, type Shift } from './values.ts'

// The standings as a whole: scores of teams from the values of challenges, and their order. Functions that return
// nothing apply in place.

/** Above this many repriced challenges with many solvers, one sort is cheaper than a merge for each. */
const MAX_MERGES = 3
/** If fewer than one team in this many has another score, these teams are removed and inserted again. */
const FEW_DIVISOR = 8

export function createStandings(): Standings {
  return {
    score: new Float64Array(0),
    lastTie: new Float64Array(0),
    last: new Float64Array(0),
    counted: new Int32Array(0),
    order: new Int32Array(0),
    ranked: 0,
    spare: { members: new Int32Array(0), others: new Int32Array(0), isMarked: new Uint8Array(0) },
    epoch: 0,
    recomputed: 0,
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
  standings.spare.isMarked = withRoom(standings.spare.isMarked, teamSlots)
}

/** Computes values, scores and order from the rows. For changes of visibility, times, points or bans. */
export function recomputeStandings(state: State): void {
  const { standings, teams, challenges } = state
  for (const entry of challenges.sorted) countSolves(state, entry)
  const maxSolves = maxSolvesOf(state)
  for (const entry of challenges.sorted) price(state, entry, maxSolves)
  resetScores(standings, teams.rows.length)
  for (const entry of challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addFeedScores(state, entry)
    else addSolves(state, entry, entry)
  }
  for (const team of state.scoreRows.byTeam.keys()) {
    addScoreRows(standings, team, scoreRowsOf(state, team))
  }
  standings.ranked = 0
  for (let team = 0; team < teams.rows.length; team += 1) {
    setMissingTimes(standings, team)
    if (standings.counted[team] !== 0) standings.order[standings.ranked++] = team
  }
  sortRanked(state)
  standings.recomputed += 1
  clearRanks(standings)
}

/**
 * Updates the standings after solves or feed scores of the `moved` teams on some challenges were added, removed or
 * changed. Its cost depends on the solvers of repriced challenges, not on all solves.
 */
export function updateStandings(state: State, entries: ReadonlySet<Entry>, moved: ReadonlySet<number>): void {
  const { standings } = state
  reserveStandings(standings, state.teams.rows.length)
  const shifts = reprice(state, entries)
  const shifted = shifts.reduce((sum, { entry }) => sum + entry.counted, 0)
  const isFew = shifted * FEW_DIVISOR <= standings.ranked
  const leaving = new Set(moved)
  if (isFew) for (const { entry } of shifts) addSolvers(state, entry, leaving)
  removeRanked(state, leaving)
  const isMerging = !isFew && shifts.length <= MAX_MERGES
  for (const shift of shifts) {
    shiftScores(state, shift)
    if (isMerging) mergeMoved(state, (team) => hasCountedSolve(state, shift.entry, team))
  }
  for (const team of moved) {
    const rowOn = (entry: Entry) => countedRow(state, entry, team)
    recomputeTeam(state, team, { rowOn, scoreRows: scoreRowsOf(state, team) })
  }
  if (!isFew && !isMerging) sortRanked(state)
  insertRanked(
    state,
    [...leaving].filter((team) => standings.counted[team] !== 0),
  )
  clearRanks(standings)
}

function addSolvers({ solves }: State, { solves: slots, counted }: Entry, teams: Set<number>): void {
  for (let index = 0; index < counted; index += 1) teams.add(solves.team[slots[index] as number] as number)
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
  readonly scoreRows: readonly ScoreRow[]
}

/** Recomputes a team's score, number of rows and latest times from its counted rows on the public challenges. */
export function recomputeTeam(
  { standings, challenges }: Pick<State, 'standings' | 'challenges'>,
  team: number,
  { rowOn, scoreRows }: ScoreParts,
): void {
  standings.score[team] = 0
  standings.counted[team] = 0
  standings.last[team] = -Infinity
  standings.lastTie[team] = -Infinity
  for (const entry of challenges.sorted) {
    const row = entry.isPublic ? rowOn(entry) : null
    if (row) addRow(standings, entry, { team, ...row })
  }
  addScoreRows(standings, team, scoreRows)
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
