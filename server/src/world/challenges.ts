import { emptyFeed, type Feed } from './feed.ts'
import type { ScoreRanking, Steps, Tally } from './graph-types.ts'
import type { Challenge, ChallengeRow } from './model.ts'

/** A challenge with its solves and what follows from them. */
export interface Entry {
  row: ChallengeRow
  isPublic: boolean
  /** Solve slots of the teams not banned, by time, then id. The counted ones are the first `counted`. */
  solves: Int32Array
  solvesLength: number
  /** By team slot, banned teams too: the solve's slot + 1, or 0. May be shorter than there are teams. */
  solveOf: Int32Array
  feed: Feed
  counted: number
  firstSolveAt: number | null
  points: number
  /** What readers see as the number of solves. */
  shownCount: number
  /** The reader's object, made when first asked for after a change. */
  view: Challenge | null
  /** Kept parts of the graph. */
  tally: Tally | null
  steps: Steps | null
  /** Made when first asked for after a change. */
  ranking: ScoreRanking | null
}

export interface Challenges {
  readonly byId: Map<string, Entry>
  /** By sort weight ascending (unset last), then id descending. */
  sorted: Entry[]
  lists: { readonly all: readonly Challenge[]; readonly open: readonly Challenge[] } | null
}

export function createChallenges(): Challenges {
  return { byId: new Map(), sorted: [], lists: null }
}

export function createEntry(row: ChallengeRow): Entry {
  return {
    row,
    isPublic: false,
    solves: new Int32Array(0),
    solvesLength: 0,
    solveOf: new Int32Array(0),
    feed: emptyFeed(),
    counted: 0,
    firstSolveAt: null,
    points: 0,
    shownCount: 0,
    view: null,
    tally: null,
    steps: null,
    ranking: null,
  }
}

export function sortChallenges(challenges: Challenges): void {
  challenges.sorted = [...challenges.byId.values()].sort((a, b) => {
    const byWeight = (a.row.sortWeight ?? Infinity) - (b.row.sortWeight ?? Infinity)
    // Two unset weights differ by NaN.
    return byWeight || (a.row.id < b.row.id ? 1 : -1)
  })
}

export function isPublicAt(row: ChallengeRow, now: number): boolean {
  return !row.hidden && (row.releaseAt === null || row.releaseAt <= now)
}

export function isDynamic(entry: Entry): boolean {
  return entry.row.scoringKind === 'dynamic'
}

/** Whether the fields that the standings follow are the same. */
export function countsAlike(a: ChallengeRow, b: ChallengeRow): boolean {
  return (
    a.pointsMin === b.pointsMin &&
    a.pointsMax === b.pointsMax &&
    a.tiebreakEligible === b.tiebreakEligible &&
    a.hidden === b.hidden &&
    a.releaseAt === b.releaseAt &&
    a.scoringKind === b.scoringKind
  )
}

export function viewOf(entry: Entry): Challenge {
  entry.view ??= {
    ...entry.row,
    isPublic: entry.isPublic,
    points: entry.points,
    solveCount: entry.shownCount,
  }
  return entry.view
}
