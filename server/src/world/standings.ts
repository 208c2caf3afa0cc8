import { withRoom } from './columns.ts'
import type { ChallengeRow } from './model.ts'
import { findSolve } from './solves.ts'
import { bumpChallengeVersion, type Entry, type Standings, type State } from './state.ts'

// Values of challenges, scores of teams and their order (docs/reference/scoring.md). `recomputeStandings` and
// `updateStandings` apply in place; the exported rules at the top change nothing.

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

export function isPublicAt(row: ChallengeRow, now: number): boolean {
  return !row.hidden && (row.releaseAt === null || row.releaseAt <= now)
}

export function isDynamic(entry: Entry): boolean {
  return entry.row.scoringKind === 'dynamic'
}

/** The counts that the value of a challenge depends on. */
export interface Counts {
  readonly counted: number
  readonly firstSolveAt: number | null
  readonly maxSolves: number
}

/** The value of a challenge for the counts of some point in time, under the current settings. */
export function valueAt({ rules, startTime, endTime }: State, { row }: Entry, counts: Counts): number {
  if (row.scoringKind === 'dynamic') return 0
  if (row.scoringKind === 'static') return row.pointsMax
  const { counted: solves, firstSolveAt, maxSolves } = counts
  const { pointsMin: min, pointsMax: max } = row
  return rules.score.value({ min, max, solves, maxSolves, startTime, endTime, firstSolveAt })
}

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

/** Computes values, scores and order from the rows. For changes of visibility, times, points or bans. */
export function recomputeStandings(state: State): void {
  const { standings, teams, challenges } = state
  for (const entry of challenges.sorted) countSolves(state, entry)
  const maxSolves = mostSolves(state)
  for (const entry of challenges.sorted) price(state, entry, maxSolves)
  reserveStandings(standings, teams.rows.length)
  standings.score.fill(0)
  standings.counted.fill(0)
  standings.last.fill(-Infinity)
  standings.lastTie.fill(-Infinity)
  for (const entry of challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addFeedScores(state, entry)
    else addSolves(state, entry)
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
  for (const team of moved) recomputeTeam(state, team)
  const returning = [...moved].filter((team) => standings.counted[team] !== 0)
  if (isSorting || returning.length > MAX_INSERTIONS) {
    for (const team of returning) standings.order[standings.ranked++] = team
    sortRanked(state)
  } else {
    for (const team of returning) insertRanked(state, team)
  }
  clearRanks(standings)
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

function clearRanks(standings: Standings): void {
  standings.epoch += 1
  standings.ranks = null
}

// Values of challenges

/** A challenge whose value changed, and by how much. */
interface Shift {
  readonly entry: Entry
  readonly shift: number
}

/**
 * Counts the solves of the given challenges and reprices them; the others too if their value depends on the maximum
 * number of solves and that changed. Returns the values that changed.
 */
function reprice(state: State, touched: Iterable<Entry>): Shift[] {
  const before = mostSolves(state)
  for (const entry of touched) countSolves(state, entry)
  const maxSolves = mostSolves(state)
  const isAll = state.rules.score.needs.maxSolves && maxSolves !== before
  const shifts: Shift[] = []
  for (const entry of isAll ? state.challenges.sorted : touched) {
    const shift = price(state, entry, maxSolves)
    if (shift !== 0) shifts.push({ entry, shift })
  }
  return shifts
}

function countSolves(state: State, entry: Entry): void {
  const { at } = state.solves
  const isPublic = isPublicAt(entry.row, state.now)
  if (isPublic !== entry.isPublic) {
    entry.isPublic = isPublic
    bumpChallengeVersion(state, entry)
  }
  // A dynamic challenge has no flag solves: the kind can only be changed while there are none.
  entry.counted = isPublic && !isDynamic(entry) ? countUntilEnd(state, entry) : 0
  entry.firstSolveAt = entry.counted > 0 ? (at[entry.solves[0] as number] as number) : null
  entry.tally = null
  entry.steps = null
}

/** Solves up to the end of the event: a prefix of the list, which is in time order. */
function countUntilEnd({ solves, endTime }: State, entry: Entry): number {
  const { solvesLength } = entry
  const last = entry.solves[solvesLength - 1]
  if (last === undefined || (solves.at[last] as number) <= endTime) return solvesLength
  let low = 0
  let high = solvesLength
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((solves.at[entry.solves[middle] as number] as number) <= endTime) low = middle + 1
    else high = middle
  }
  return low
}

function mostSolves({ challenges }: State): number {
  let most = 0
  for (const { row, counted } of challenges.sorted) {
    if (row.scoringKind === 'decay' && counted > most) most = counted
  }
  return most
}

function price(state: State, entry: Entry, maxSolves: number): number {
  const { counted, firstSolveAt } = entry
  const points = entry.isPublic ? valueAt(state, entry, { counted, firstSolveAt, maxSolves }) : 0
  const shownCount = isDynamic(entry) ? countFeedScores(state, entry) : counted
  const shift = points - entry.points
  if (shift !== 0 || shownCount !== entry.shownCount) {
    entry.points = points
    entry.shownCount = shownCount
    bumpChallengeVersion(state, entry)
  }
  return shift
}

function countFeedScores({ teams }: State, entry: Entry): number {
  if (!entry.isPublic) return 0
  let count = 0
  for (const team of entry.feed.scores.keys()) if (!teams.rows[team]?.banned) count += 1
  return count
}

// Scores of teams

function addSolves({ standings, solves }: State, entry: Entry): void {
  const { score, counted, last } = standings
  const { points } = entry
  // Without tie-break eligibility both names mean the same column, which keeps the branch out of the loop.
  const lastTie = entry.row.tiebreakEligible ? standings.lastTie : last
  for (let index = 0; index < entry.counted; index += 1) {
    const slot = entry.solves[index] as number
    const team = solves.team[slot] as number
    const at = solves.at[slot] as number
    score[team] = (score[team] as number) + points
    counted[team] = (counted[team] as number) + 1
    if (at > (last[team] as number)) last[team] = at
    if (at > (lastTie[team] as number)) lastTie[team] = at
  }
}

function addFeedScores(state: State, entry: Entry): void {
  for (const team of entry.feed.scores.keys()) {
    if (!state.teams.rows[team]?.banned) addFeedScore(state, entry, team)
  }
}

function addFeedScore({ standings }: State, entry: Entry, team: number): void {
  const row = entry.feed.scores.get(team)
  if (row) addRow(standings, entry, { team, points: row.points, at: row.scoredAt })
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

function recomputeTeam(state: State, team: number): void {
  const { standings, solves } = state
  standings.score[team] = 0
  standings.counted[team] = 0
  standings.last[team] = -Infinity
  standings.lastTie[team] = -Infinity
  const isBanned = state.teams.rows[team]?.banned ?? true
  for (const entry of isBanned ? [] : state.challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addFeedScore(state, entry, team)
    else if (hasCountedSolve(state, entry, team)) {
      addRow(standings, entry, { team, points: entry.points, at: solves.at[findSolve(entry, team)] ?? 0 })
    }
  }
  setMissingTimes(standings, team)
}

function addRow(
  standings: Standings,
  entry: Entry,
  { team, points, at }: { readonly team: number; readonly points: number; readonly at: number },
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
