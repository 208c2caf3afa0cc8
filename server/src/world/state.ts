import type { LRUCache } from 'lru-cache'
import type { RowsByKind } from './kept-rows.ts'
import type { Challenge, ChallengeRow, FeedRow, SettingsOverrides, TeamRow, WorldRules } from './model.ts'
import type { GraphLine, Versions } from './reads.ts'
import type { ScoreRows } from './score-rows.ts'
import type { TrackRules, TrackSet } from './tracks.ts'

// All data of the world. Only `fold/`, and the functions of `solves.ts`, `standings.ts` and `values.ts` that it calls, change rows and standings; `graph/` and `view/` fill caches. Everything is mutable because a copy per solve would
// be too slow (docs/decisions/0003-serve-reads-from-memory.md).

export interface State {
  readonly rules: WorldRules
  settings: SettingsOverrides
  /** Of the kinds that are values. */
  readonly rows: RowsByKind
  startTime: number
  endTime: number
  now: number
  /** The state has no solves and pushed scores after this time; null if it has all. */
  readonly frozenAt: number | null
  nextReleaseAt: number | null
  versions: Versions
  /** The highest version that any team has. */
  lastTeamVersion: number
  readonly teams: Teams
  readonly challenges: Challenges
  readonly solves: Solves
  /** Follows from `rows`. */
  readonly scoreRows: ScoreRows
  readonly standings: Standings
  readonly graph: GraphCache
}

/** Teams by slot: a small integer that indexes the columns below. Slots of deleted teams are reused. */
export interface Teams {
  readonly slots: Map<string, number>
  readonly rows: (TeamRow | undefined)[]
  /** The division of each slot, as a number from `divisions`. */
  readonly divisionOf: number[]
  readonly divisions: Map<string, number>
  tracks: TrackRules
  /** The track of each slot, as a number from `tracks`. */
  readonly trackOf: number[]
  readonly searchNames: string[]
  readonly versions: number[]
  readonly byEmail: Map<string, number>
  readonly byExtrankId: Map<string, number>
  readonly free: number[]
}

export interface Challenges {
  readonly byId: Map<string, Entry>
  /** By sort weight ascending (unset last), then id descending. */
  sorted: Entry[]
  /** Cache, cleared by changes. */
  lists: { readonly all: readonly Challenge[]; readonly open: readonly Challenge[] } | null
  /** Cache of the entries of the list that was last asked for, cleared by changes. */
  listed: { readonly list: readonly Challenge[]; readonly entries: readonly (Entry | undefined)[] } | null
}

/** A challenge with its solves and everything derived from them. */
export interface Entry {
  row: ChallengeRow
  isPublic: boolean
  /** The number of released rows by their kind; kinds without any are missing. */
  released: Readonly<Record<string, number>>
  /** Solve slots of the teams that are not banned, by time, then id. The first `counted` ones count. */
  solves: Int32Array
  solvesLength: number
  /** Another number after each change of the list or of a recorded rank, unique within this process. */
  solvesVersion: number
  /** Whether all listed solves have their ranks; null if that is not known. */
  isRanked: boolean | null
  /** By team slot, banned teams included: the solve's slot + 1, or 0. May be shorter than the number of teams. */
  solveOf: Int32Array
  feed: Feed
  counted: number
  /** By number of solves, how many of the first ones the value depends on; null if it depends on all. */
  priced: Int32Array | null
  /** Of those that the value depends on. */
  firstSolveAt: number | null
  points: number
  /** The number of solves that readers see. */
  shownCount: number
  /** Cache of the object for readers, cleared by changes. */
  view: Challenge | null
  /** Caches of the graph. */
  tally: Tally | null
  steps: Steps | null
  /** Cache of the ranking of a dynamic challenge. */
  ranking: ScoreRanking | null
}

/** All solves by slot, in columns: 41 bytes per solve. Slots of deleted solves are reused. */
export interface Solves {
  /** Slots ever taken, freed ones included. */
  length: number
  team: Int32Array
  at: Float64Array
  /** Index in the list of the challenge; -1 if it is not listed. */
  place: Int32Array
  /** UUIDs, 16 bytes each. */
  ids: Uint8Array
  /** Ranks at solve time; 0 if not recorded. */
  globalRank: Int32Array
  divisionRank: Int32Array
  /** 1 if the team had the help of an agent. */
  assisted: Uint8Array
  readonly free: number[]
  /** Increases when a solve that was listed before gets another position. */
  moves: number
}

/** A team's score on a dynamic challenge, as stored in its row. */
export type FeedScore = Pick<FeedRow, 'points' | 'scoredAt' | 'delta' | 'tickAt'>

/** The feed of one challenge. Events are appended in place, because a long event has millions of them. */
export interface Feed {
  /** By team slot; scores of zero are left out. */
  readonly scores: Map<number, FeedScore>
  /** Events in columns, in order of arrival; the first `length` entries are in use. */
  length: number
  team: Int32Array
  at: Float64Array
  delta: Float64Array
  /** Time of each team's latest event, by team slot. */
  readonly latest: Map<number, number>
  /** The latest tick: the time of the latest event of any team. */
  tickAt: number | null
  /** All events up to this id are known; null if some are missing and the whole feed must be read again. */
  lastEventId: number | null
  /** Caches of the graph, at most two. */
  buckets: readonly FeedBuckets[]
}

/** Scores by team slot, and the order derived from them. */
export interface Standings {
  score: Float64Array
  /** Time of the latest counted row on a tie-break challenge, and on any challenge; infinite if there is none. */
  lastTie: Float64Array
  last: Float64Array
  /** Number of counted rows. A team with at least one is ranked. */
  counted: Int32Array
  /** Slots of the ranked teams, best first; the first `ranked` entries are in use. */
  order: Int32Array
  ranked: number
  /** Buffers: for merging, and a mark by team slot, 0 between uses. */
  readonly spare: { members: Int32Array; others: Int32Array; isMarked: Uint8Array }
  /** Increases whenever scores or order change. */
  epoch: number
  /** Increases when they are computed from all rows. */
  recomputed: number
  /** Cache by set of tracks, cleared by changes. */
  ranks: Map<TrackSet, Ranks> | null
}

/** The ranks of one version of the standings, among the teams of a set of tracks. */
export interface Ranks {
  /** Ranked slots, best first. */
  readonly order: Int32Array
  /** By team slot, from 1; 0 if the team is not ranked. */
  readonly global: Int32Array
  readonly inDivision: Int32Array
  /** Ranked slots of each division, best first, by the division's number. */
  readonly divisions: readonly Int32Array[]
}

/** Teams of a dynamic challenge, best first. */
export interface ScoreRanking {
  /** `Standings.epoch` that it was computed for. */
  readonly epoch: number
  /** Team slots. */
  readonly teams: Int32Array
}

/** Counted solves of one challenge by bucket. */
export interface Tally {
  readonly sampleMs: number
  /** Ends of the buckets that contain a solve, ascending. */
  readonly times: Float64Array
  /** Solves up to the end of each bucket. */
  readonly counts: Float64Array
}

/** The values of one challenge over time: each applies from the end of its bucket. */
export interface Steps {
  readonly sampleMs: number
  readonly times: Float64Array
  readonly values: Float64Array
}

/** Sums of a feed's events per bucket. Extended as the feed grows, so that each event is processed once. */
export interface FeedBuckets {
  readonly sampleMs: number
  readonly endTime: number
  /** The number of events included so far. */
  length: number
  /** Ends of all buckets that contain an event. */
  readonly ends: Set<number>
  /** By team slot. */
  readonly lines: Map<number, FeedLine>
}

/** One team's changes per bucket, by bucket end ascending. */
export interface FeedLine {
  readonly ends: number[]
  readonly changes: number[]
}

/** The data that all graph lines of one version of the standings share. */
export interface GraphPlan {
  /** `Standings.epoch` that it was computed for. */
  readonly epoch: number
  readonly sampleMs: number
  /** Ends of all buckets in which anything happened, ascending. */
  readonly axis: Float64Array
  /** The positions of a challenge's steps on the axis. */
  readonly onAxis: ReadonlyMap<Steps, Int32Array>
  readonly lastUpdate: number
}

/** Values of the challenges at some past times. */
export interface PastValues {
  /** `Standings.epoch` that they were computed for. */
  readonly epoch: number
  /** The times as text, to compare them. */
  readonly key: string
  /** By challenge, then by time. */
  readonly values: ReadonlyMap<Entry, Float64Array>
}

export interface GraphCache {
  plan: GraphPlan | null
  past: PastValues | null
  readonly lines: LRUCache<string, GraphLine>
}

/** The normalised form in which names are searched: case does not matter. */
export function searchForm(text: string): string {
  return text.toLowerCase()
}

/** Increments versions in place, so that readers drop stale caches. */
export function bumpVersion(state: State, what: keyof Versions): void {
  state.versions = { ...state.versions, [what]: state.versions[what] + 1 }
  if (what !== 'challenges') return
  state.challenges.lists = null
  state.challenges.listed = null
}

export function bumpTeamVersion(state: State, slot: number): void {
  state.lastTeamVersion += 1
  state.teams.versions[slot] = state.lastTeamVersion
}

/** For changes to what the rows of some teams and the scoreboard show. `isShown` is false if only hidden challenges changed. */
export function bumpBoard(state: State, teams: Iterable<number>, isShown = true): void {
  for (const team of teams) bumpTeamVersion(state, team)
  bumpVersion(state, 'board')
  if (isShown) bumpVersion(state, 'shown')
}

/** For changes to what a challenge shows. */
export function bumpChallengeVersion(state: State, entry: Entry): void {
  entry.view = null
  bumpVersion(state, 'challenges')
}
