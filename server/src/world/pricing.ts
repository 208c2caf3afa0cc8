import { isDynamic, isPublicAt, type Entry } from './challenges.ts'
import { raiseChallenge, type State } from './state.ts'

/** A challenge whose value moved, and by how much. */
export interface Shift {
  readonly entry: Entry
  readonly shift: number
}

/**
 * Counts the solves of the given challenges and prices them; the others too when their value depends on the most
 * solved one and that has moved. Returns what moved.
 */
export function reprice(state: State, touched: Iterable<Entry>): Shift[] {
  const { needs } = state.rules.score
  const before = mostSolves(state)
  for (const entry of touched) countSolves(state, entry)
  const maxSolves = mostSolves(state)
  const isAll = needs.maxSolves && maxSolves !== before
  const shifts: Shift[] = []
  for (const entry of isAll ? state.challenges.sorted : touched) {
    const shift = price(state, entry, maxSolves)
    if (shift !== 0) shifts.push({ entry, shift })
  }
  return shifts
}

/** Counts and prices everything anew: visibility, times, points or bans may have changed. */
export function repriceAll(state: State): void {
  for (const entry of state.challenges.sorted) countSolves(state, entry)
  const maxSolves = mostSolves(state)
  for (const entry of state.challenges.sorted) price(state, entry, maxSolves)
}

function countSolves(state: State, entry: Entry): void {
  const { at } = state.solves
  const isPublic = isPublicAt(entry.row, state.now)
  if (isPublic !== entry.isPublic) {
    entry.isPublic = isPublic
    raiseChallenge(state, entry)
  }
  // Flag solves of a dynamic challenge cannot be: its kind may change only while there are none.
  const isCounting = isPublic && !isDynamic(entry)
  entry.counted = isCounting ? countBefore(state, entry) : 0
  entry.firstSolveAt = entry.counted > 0 ? (at[entry.solves[0] as number] as number) : null
  entry.tally = null
  entry.steps = null
}

/** Solves up to the end of the event. The list is in order of time, so they are its start. */
function countBefore({ solves, endTime }: State, entry: Entry): number {
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
  const points = entry.isPublic ? valueAt(state, entry, countsNow(entry, maxSolves)) : 0
  const shownCount = isDynamic(entry) ? countScores(state, entry) : entry.counted
  const shift = points - entry.points
  if (shift !== 0 || shownCount !== entry.shownCount) {
    entry.points = points
    entry.shownCount = shownCount
    raiseChallenge(state, entry)
  }
  return shift
}

/** What the value of a challenge depends on beside its row. */
export interface Counts {
  readonly counted: number
  readonly firstSolveAt: number | null
  readonly maxSolves: number
}

function countsNow({ counted, firstSolveAt }: Entry, maxSolves: number): Counts {
  return { counted, firstSolveAt, maxSolves }
}

/** What a challenge is worth by the counts of some instant, under today's settings. */
export function valueAt({ rules, startTime, endTime }: State, { row }: Entry, counts: Counts): number {
  if (row.scoringKind === 'dynamic') return 0
  if (row.scoringKind === 'static') return row.pointsMax
  const { counted: solves, firstSolveAt, maxSolves } = counts
  const { pointsMin: min, pointsMax: max } = row
  return rules.score.value({ min, max, solves, maxSolves, startTime, endTime, firstSolveAt })
}

function countScores({ teams }: State, entry: Entry): number {
  if (!entry.isPublic) return 0
  let count = 0
  for (const team of entry.feed.scores.keys()) if (!teams.rows[team]?.banned) count += 1
  return count
}
