import { withRoom } from './columns.ts'
import type { ChallengeRow } from './model.ts'
import { isInSet } from './tracks.ts'
import { bumpChallengeVersion, type Entry, type State } from './state.ts'

// Values of challenges (docs/reference/scoring.md). `countSolves`, `price` and `reprice` apply in place.

export function isPublicAt(row: ChallengeRow, now: number): boolean {
  return !row.hidden && (row.releaseAt === null || row.releaseAt <= now)
}

export function isDynamic(entry: Entry): boolean {
  return entry.row.scoringKind === 'dynamic'
}

/** The counts that the value of a challenge depends on. */
export interface Counts {
  /** Without those of teams whose track does not affect values. */
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

/** A challenge whose value changed, and by how much. */
export interface Shift {
  readonly entry: Entry
  readonly shift: number
}

/**
 * Counts the solves of the given challenges and reprices them; the others too if their value depends on the maximum
 * number of solves and that changed. Returns the values that changed.
 */
export function reprice(state: State, touched: Iterable<Entry>): Shift[] {
  const before = maxSolvesOf(state)
  for (const entry of touched) countSolves(state, entry)
  const maxSolves = maxSolvesOf(state)
  const isAll = state.rules.score.needs.maxSolves && maxSolves !== before
  const shifts: Shift[] = []
  for (const entry of isAll ? state.challenges.sorted : touched) {
    const shift = price(state, entry, maxSolves)
    if (shift !== 0) shifts.push({ entry, shift })
  }
  return shifts
}

export function countSolves(state: State, entry: Entry): void {
  const { at } = state.solves
  const isPublic = isPublicAt(entry.row, state.now)
  if (isPublic !== entry.isPublic) {
    entry.isPublic = isPublic
    bumpChallengeVersion(state, entry)
  }
  // A dynamic challenge has no flag solves: the kind can only be changed while there are none.
  entry.counted = isPublic && !isDynamic(entry) ? countUntil(state, entry, state.endTime) : 0
  countPriced(state, entry)
  const first = firstPriced(entry)
  entry.firstSolveAt = first === null ? null : (at[entry.solves[first] as number] as number)
  entry.tally = null
  entry.steps = null
}

/** Counts the solves of teams whose track affects values. Costs nothing while all do. */
function countPriced({ solves, teams }: State, entry: Entry): void {
  const { counted } = entry
  if (teams.tracks.pricing === teams.tracks.all) return void (entry.priced = null)
  const priced = withRoom(entry.priced ?? new Int32Array(0), counted + 1)
  for (let at = 0; at < counted; at += 1) {
    const isPriced = isInSet(teams, solves.team[entry.solves[at] as number] as number, teams.tracks.pricing)
    priced[at + 1] = (priced[at] as number) + (isPriced ? 1 : 0)
  }
  entry.priced = priced
}

/** How many of the first `counted` solves the value depends on. */
export function pricedOf({ priced }: Entry, counted: number): number {
  return priced === null ? counted : (priced[counted] as number)
}

/** The index of the first solve that the value depends on. */
function firstPriced(entry: Entry): number | null {
  if (pricedOf(entry, entry.counted) === 0) return null
  return entry.priced === null ? 0 : entry.priced.indexOf(1) - 1
}

/** Solves up to a time: a prefix of the list, which is in time order. */
export function countUntil({ solves }: Pick<State, 'solves'>, entry: Entry, time: number): number {
  const { solvesLength } = entry
  const last = entry.solves[solvesLength - 1]
  if (last === undefined || (solves.at[last] as number) <= time) return solvesLength
  let low = 0
  let high = solvesLength
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((solves.at[entry.solves[middle] as number] as number) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** The most solves of a challenge whose value depends on them; `countOf` allows other counts than the current. */
export function maxSolvesOf(
  { challenges }: Pick<State, 'challenges'>,
  countOf = (entry: Entry): number => pricedOf(entry, entry.counted),
): number {
  let most = 0
  for (const entry of challenges.sorted) {
    if (entry.row.scoringKind === 'decay') most = Math.max(most, countOf(entry))
  }
  return most
}

export function price(state: State, entry: Entry, maxSolves: number): number {
  const { firstSolveAt } = entry
  const counted = pricedOf(entry, entry.counted)
  const points = entry.isPublic ? valueAt(state, entry, { counted, firstSolveAt, maxSolves }) : 0
  const shownCount = isDynamic(entry) ? countFeedScores(state, entry) : entry.counted
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
