import { isDynamic, type Entry } from './challenges.ts'
import { enter, mergeMoved, reserveStandings, sortRanked, withdraw, type Standings } from './order.ts'
import { reprice, repriceAll, type Shift } from './pricing.ts'
import { findSolve } from './solves.ts'
import type { State } from './state.ts'

/** Above this many repriced challenges or moved teams one sort is cheaper than merging for each. */
const MOST_MERGES = 6
const MOST_ENTRIES = 64

/** Computes everything from the rows. */
export function standAgain(state: State): void {
  const { standings, teams } = state
  repriceAll(state)
  reserveStandings(standings, teams.rows.length)
  standings.score.fill(0)
  standings.counted.fill(0)
  standings.last.fill(-Infinity)
  standings.lastTie.fill(-Infinity)
  for (const entry of state.challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addScores(state, entry)
    else addSolves(state, entry)
  }
  standings.ranked = 0
  for (let team = 0; team < teams.rows.length; team += 1) {
    settle(standings, team)
    if (standings.counted[team] !== 0) standings.order[standings.ranked++] = team
  }
  sortRanked(state)
  renew(standings)
}

function addSolves({ standings, solves }: State, entry: Entry): void {
  const { score, counted, last } = standings
  const { points } = entry
  // The same column twice where ties are not broken here: keeps the branch out of the loop.
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

function addScores(state: State, entry: Entry): void {
  for (const team of entry.feed.scores.keys()) {
    if (!state.teams.rows[team]?.banned) addScore(state, entry, team)
  }
}

function addScore({ standings }: State, entry: Entry, team: number): void {
  const row = entry.feed.scores.get(team)
  if (row) addRow(standings, entry, { team, points: row.points, at: row.scoredAt })
}

/** Restores the standings after solves or feed scores of some teams on some challenges came, went or moved. */
export function standAfter(state: State, entries: ReadonlySet<Entry>, moved: ReadonlySet<number>): void {
  const { standings } = state
  reserveStandings(standings, state.teams.rows.length)
  withdraw(state, moved)
  const shifts = reprice(state, entries)
  const isSorting = shifts.length > MOST_MERGES
  for (const shift of shifts) {
    shiftScores(state, shift)
    if (!isSorting) mergeMoved(state, (team) => countsFor(state, shift.entry, team))
  }
  for (const team of moved) standTeam(state, team)
  const entering = [...moved].filter((team) => standings.counted[team] !== 0)
  if (isSorting || entering.length > MOST_ENTRIES) {
    for (const team of entering) standings.order[standings.ranked++] = team
    sortRanked(state)
  } else {
    for (const team of entering) enter(state, team)
  }
  renew(standings)
}

/** All teams that solved it, those on the move too: their scores are summed anew afterwards. */
function shiftScores({ standings, solves }: State, { entry, shift }: Shift): void {
  const { score } = standings
  for (let index = 0; index < entry.counted; index += 1) {
    const team = solves.team[entry.solves[index] as number] as number
    score[team] = (score[team] as number) + shift
  }
}

function countsFor({ solves, endTime }: State, entry: Entry, team: number): boolean {
  const slot = findSolve(entry, team)
  if (slot < 0) return false
  return entry.counted === entry.solvesLength || (solves.at[slot] as number) <= endTime
}

/** Sums one team's rows anew. */
function standTeam(state: State, team: number): void {
  const { standings, solves } = state
  standings.score[team] = 0
  standings.counted[team] = 0
  standings.last[team] = -Infinity
  standings.lastTie[team] = -Infinity
  const isBanned = state.teams.rows[team]?.banned ?? true
  for (const entry of isBanned ? [] : state.challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) addScore(state, entry, team)
    else if (countsFor(state, entry, team)) {
      addRow(standings, entry, { team, points: entry.points, at: solves.at[findSolve(entry, team)] ?? 0 })
    }
  }
  settle(standings, team)
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

/** A team without a counted row comes last among equals. */
function settle({ last, lastTie }: Standings, team: number): void {
  if (last[team] === -Infinity) last[team] = Infinity
  if (lastTie[team] === -Infinity) lastTie[team] = Infinity
}

function renew(standings: Standings): void {
  standings.epoch += 1
  standings.places = null
}
