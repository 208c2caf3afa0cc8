import type { SolvePair } from '../model.ts'
import { scoreRowsOf } from '../score-rows.ts'
import { compareSolves, findSolve, type SolveKey } from '../solves.ts'
import { countedRow, recomputeTeam } from '../standings.ts'
import type { Entry, Standings, State } from '../state.ts'
import { isInSet } from '../tracks.ts'
import { isDynamic, maxSolvesOf, pricedOf, valueAt } from '../values.ts'
import { copyOf, createPastOrder, recordChange, rankOf, type PastOrder } from './past-order.ts'

// Ranks at solve time (docs/decisions/0020-compute-ranks-when-a-solve-is-applied.md). The exported functions apply in place.

/** Each step recomputes one team, and repricing a challenge touches its solvers. */
const MAX_STEPS = 10_000

export interface RankedSolve extends SolveKey {
  readonly slot: number
}

/** The standings before some of the latest solves. */
interface Past {
  readonly state: State
  readonly standings: Standings
  readonly order: PastOrder
  /** Number of solves, of those that the value depends on, and value, where they differed from the current ones. */
  readonly counted: Map<Entry, number>
  readonly priced: Map<Entry, number>
  readonly points: Map<Entry, number>
  /** Slots of the solves made since. */
  readonly undone: Set<number>
  /** The time up to which score rows count. */
  until: number
  /** Teams with later score rows, the latest last. */
  readonly adjusted: { readonly team: number; readonly at: number }[]
}

/**
 * Writes the ranks right after each of the given solves, unless they are recorded already; ignores solves that do not
 * count. The solves must be the latest that the standings contain, in the order of the change log. The function undoes
 * one solve at a time, starting from the current standings, so the result is the same whether the solves arrived one by
 * one, in batches, or from the tables.
 */
export function rankLatestSolves(state: State, latest: readonly RankedSolve[]): void {
  const { solves, standings } = state
  const steps = latest
    .filter((solve) => isCounted(state, solve))
    .slice(-MAX_STEPS)
    .toReversed()
  const [only] = steps
  if (!only || !steps.some(({ slot }) => solves.globalRank[slot] === 0)) return
  const adjusted = adjustedSince(state, Math.min(...steps.map(({ slot }) => solves.at[slot] as number)))
  if (steps.length === 1 && adjusted.length === 0)
    return writeRank(state, createPastOrder(state, standings), only)
  const then = copyOf(standings)
  const past: Past = {
    state,
    standings: then,
    order: createPastOrder(state, then),
    counted: new Map(),
    priced: new Map(),
    points: new Map(),
    undone: new Set(),
    until: Infinity,
    adjusted,
  }
  for (const step of steps) {
    withdrawScoreRows(past, solves.at[step.slot] as number)
    if (solves.globalRank[step.slot] === 0) writeRank(state, past.order, step)
    undo(past, step)
  }
}

/**
 * After loading: ranks the solves that were committed after the last one with recorded ranks. `logOrder` lists them in
 * the order of the change log; solves missing from it are older and are ordered by time.
 */
export function rankLoadedSolves(state: State, logOrder: readonly SolvePair[]): void {
  const { solves, challenges, teams } = state
  const from = lastRankedAt(state)
  const latest: RankedSolve[] = []
  for (const entry of challenges.sorted) {
    for (let index = entry.counted - 1; index >= 0; index -= 1) {
      const slot = entry.solves[index] as number
      if ((solves.at[slot] as number) < from) break
      // These rows were imported without ranks; the worker records the current ranks.
      if (latest.length === MAX_STEPS) return
      latest.push({ slot, entry, team: solves.team[slot] as number })
    }
  }
  const positions = new Map<number, number>()
  for (const [index, { challengeId, teamId }] of logOrder.entries()) {
    const entry = challenges.byId.get(challengeId)
    const team = teams.slots.get(teamId)
    if (entry && team !== undefined) positions.set(findSolve(entry, team), index)
  }
  const position = ({ slot }: RankedSolve) => positions.get(slot) ?? -1
  latest.sort((a, b) => position(a) - position(b) || compareSolves(solves, a.slot, b.slot))
  rankLatestSolves(state, latest)
}

/** The time of the latest solve with recorded ranks. */
function lastRankedAt({ solves, challenges }: State): number {
  let latest = -Infinity
  for (const entry of challenges.sorted) {
    for (let index = entry.counted - 1; index >= 0; index -= 1) {
      const slot = entry.solves[index] as number
      if (solves.globalRank[slot] === 0) continue
      latest = Math.max(latest, solves.at[slot] as number)
      break
    }
  }
  return latest
}

function isCounted({ solves, teams, endTime }: State, { slot, entry, team }: RankedSolve): boolean {
  if (!entry.isPublic || isDynamic(entry)) return false
  return teams.rows[team]?.banned === false && (solves.at[slot] as number) <= endTime
}

function writeRank({ solves }: State, order: PastOrder, { slot, team }: RankedSolve): void {
  const { global, inDivision } = rankOf(order, team)
  solves.globalRank[slot] = global
  solves.divisionRank[slot] = inDivision
}

/** Undoes one solve: the challenge gets its earlier value back, for everyone who had solved it by then. */
function undo(past: Past, { slot, entry, team }: RankedSolve): void {
  const { counted, priced, undone } = past
  const { challenges, rules } = past.state
  const before = maxSolvesAt(past)
  undone.add(slot)
  counted.set(entry, countOf(past, entry) - 1)
  if (isPricing(past, team)) priced.set(entry, pricedIn(past, entry) - 1)
  recomputePast(past, team)
  const maxSolves = maxSolvesAt(past)
  const isAll = rules.score.needs.maxSolves && maxSolves !== before
  for (const each of isAll ? challenges.sorted : [entry]) reprice(past, each, maxSolves)
}

function recomputePast(past: Past, team: number): void {
  const { state, standings, undone, until } = past
  const rowOn = (entry: Entry) => {
    const row = countedRow(state, entry, team)
    if (!row || isDynamic(entry)) return row
    return undone.has(findSolve(entry, team)) ? null : { points: pointsOf(past, entry), at: row.at }
  }
  const scoreRows = scoreRowsOf(state, team).filter(({ at }) => at <= until)
  recomputeTeam({ standings, challenges: state.challenges }, team, { rowOn, scoreRows })
  recordChange(past.order, team)
}

/** Score rows after a time, oldest first. */
function adjustedSince(state: State, time: number): { team: number; at: number }[] {
  const { byTeam, latestAt } = state.scoreRows
  if (latestAt <= time) return []
  return [...byTeam.keys()]
    .flatMap((team) => scoreRowsOf(state, team).map(({ at }) => ({ team, at })))
    .filter(({ at }) => at > time)
    .sort((a, b) => a.at - b.at)
}

/** A solve's ranks include only what was awarded or deducted before it. */
function withdrawScoreRows(past: Past, time: number): void {
  const { adjusted } = past
  past.until = Math.min(past.until, time)
  for (let last = adjusted.at(-1); last && last.at > time; last = adjusted.at(-1)) {
    adjusted.pop()
    recomputePast(past, last.team)
  }
}

function countOf({ counted }: Past, entry: Entry): number {
  return counted.get(entry) ?? entry.counted
}

function pricedIn({ priced }: Past, entry: Entry): number {
  return priced.get(entry) ?? pricedOf(entry, entry.counted)
}

function isPricing({ state: { teams } }: Past, team: number): boolean {
  return isInSet(teams, team, teams.tracks.pricing)
}

function pointsOf({ points }: Past, entry: Entry): number {
  return points.get(entry) ?? entry.points
}

function maxSolvesAt(past: Past): number {
  const { challenges, rules } = past.state
  return rules.score.needs.maxSolves ? maxSolvesOf({ challenges }, (entry) => pricedIn(past, entry)) : 0
}

function reprice(past: Past, entry: Entry, maxSolves: number): void {
  if (!entry.isPublic) return
  const counted = pricedIn(past, entry)
  const points = valueAt(past.state, entry, { counted, firstSolveAt: firstSolveAt(past, entry), maxSolves })
  const shift = points - pointsOf(past, entry)
  if (shift === 0) return
  past.points.set(entry, points)
  shiftScores(past, entry, shift)
}

function firstSolveAt(past: Past, { solves, counted }: Entry): number | null {
  const { team, at } = past.state.solves
  for (let index = 0; index < counted; index += 1) {
    const slot = solves[index] as number
    if (!past.undone.has(slot) && isPricing(past, team[slot] as number)) return at[slot] as number
  }
  return null
}

function shiftScores(past: Past, entry: Entry, shift: number): void {
  const { state, standings, undone } = past
  const { score } = standings
  const { team } = state.solves
  // Undone solves are nearly always the end of the list; then the other solves need no lookup.
  let length = entry.counted
  while (length > 0 && undone.has(entry.solves[length - 1] as number)) length -= 1
  const isMixed = length !== countOf(past, entry)
  for (let index = 0; index < length; index += 1) {
    const slot = entry.solves[index] as number
    if (isMixed && undone.has(slot)) continue
    const solver = team[slot] as number
    score[solver] = (score[solver] as number) + shift
    recordChange(past.order, solver)
  }
}
