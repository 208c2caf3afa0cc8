// What the world is made of: rows as the database has them, changes as the follower hands them to the fold, and the
// port through which features read. Instants are Unix milliseconds, points are whole numbers.

import type { ScoreFormula } from '../lib/score-formula.ts'

export interface TeamRow {
  readonly id: string
  /** Compact number (`teams.n`): what the columns of a bulk load call the team by. */
  readonly n?: number
  readonly name: string
  readonly email: string | null
  readonly division: string
  readonly perms: number
  readonly banned: boolean
  readonly extrankId: string | null
  readonly avatarUrl: string | null
  readonly countryCode: string | null
  readonly statusText: string | null
  readonly createdAt: number
}

export interface FlagEntry {
  readonly provider: string
  readonly config: Readonly<Record<string, unknown>>
}

export interface FileEntry {
  readonly name: string
  readonly url: string
  readonly size?: number | null
}

export type ScoringKind = 'decay' | 'static' | 'dynamic'

export interface ChallengeRow {
  readonly id: string
  /**
   * Compact number (`challenges.n`). Another number under a known id is another challenge: it was deleted and made
   * again between two reads, and what belonged to the old one is gone.
   */
  readonly n?: number
  readonly name: string
  readonly description: string
  readonly category: string
  readonly author: string
  readonly flags: readonly FlagEntry[]
  readonly files: readonly FileEntry[]
  readonly pointsMin: number
  readonly pointsMax: number
  readonly tiebreakEligible: boolean
  readonly sortWeight: number | null
  readonly hidden: boolean
  readonly releaseAt: number | null
  readonly scoringKind: ScoringKind
  readonly scoringSecret: string | null
  readonly instancerConfig: Readonly<Record<string, unknown>> | null
  readonly adminBotConfig: Readonly<Record<string, unknown>> | null
  readonly tags: readonly string[] | null
  readonly version: number
}

export interface SolveRow {
  /** A UUID. */
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
  /** Places at solve time; null until they are recorded. */
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
}

/**
 * Solves by columns, unordered, as a binary COPY gives them: entry `i` of each column belongs to solve `i`, ids take
 * 16 bytes each. Columns may be longer than `length`. They are copied, so a loader may reuse its buffers.
 */
export interface SolveColumns {
  readonly length: number
  /** The `n` of a team and a challenge among the rows; solves of others are left out. */
  readonly teamNumbers: Int32Array
  readonly challengeNumbers: Int32Array
  /** Unix milliseconds, whole: microseconds are cut off (floor), as in `SolveRow`. */
  readonly createdAt: Float64Array
  readonly ids: Uint8Array
  /** 0 where not recorded. */
  readonly globalPlaces: Int32Array
  readonly divisionPlaces: Int32Array
}

export interface FeedRow {
  readonly challengeId: string
  readonly teamId: string
  readonly points: number
  /** When the team first got a score other than zero here. */
  readonly scoredAt: number
  /** The team's change in its own latest tick, and that tick's instant. */
  readonly delta: number
  readonly tickAt: number
}

export interface FeedEvent {
  /** Order of insertion. */
  readonly id: number
  readonly challengeId: string
  readonly teamId: string
  readonly delta: number
  readonly at: number
}

/** Feed events by columns, in the manner of `SolveColumns`. */
export interface FeedColumns {
  readonly length: number
  readonly teamNumbers: Int32Array
  readonly challengeNumbers: Int32Array
  readonly ids: Float64Array
  /** Unix milliseconds, whole. */
  readonly at: Float64Array
  readonly delta: Float64Array
}

/** Stored overrides of the configuration (contract, admin B.6). */
export interface SettingsOverrides {
  readonly ctfName?: string
  readonly homeContent?: string
  readonly startTime?: number
  readonly endTime?: number
  readonly sponsors?: readonly { name: string; icon: string; description: string; url?: string }[]
  readonly meta?: { readonly description?: string; readonly imageUrl?: string }
  readonly faviconUrl?: string
  readonly logoLightUrl?: string
  readonly logoDarkUrl?: string
}

/** Everything the world is built from, read in one snapshot. */
export interface WorldRows {
  readonly teams: readonly TeamRow[]
  readonly challenges: readonly ChallengeRow[]
  readonly solves: readonly SolveRow[]
  /** Further solves, in bulk: 400,000 of them need no object each. The rows of `teams` and `challenges` carry `n`. */
  readonly solveColumns?: readonly SolveColumns[]
  readonly feed: readonly FeedRow[]
  readonly feedEvents: readonly FeedEvent[]
  /** Further events, in bulk. */
  readonly feedColumns?: readonly FeedColumns[]
  readonly settings: SettingsOverrides
}

/** The rules of the deployment that the standings follow. */
export interface WorldRules {
  readonly score: ScoreFormula
  /** The configured event window; stored settings override it. */
  readonly startTime: number
  readonly endTime: number
}

/**
 * One step of the world. Rows are states, not differences: applying one twice changes nothing, and keys that are
 * asked for but no longer there are listed as removed.
 */
export type Change =
  | { readonly kind: 'teams'; readonly rows: readonly TeamRow[]; readonly removed: readonly string[] }
  | {
      readonly kind: 'challenges'
      readonly rows: readonly ChallengeRow[]
      readonly removed: readonly string[]
    }
  | {
      readonly kind: 'solves'
      readonly rows: readonly SolveRow[]
      readonly removed: readonly { readonly challengeId: string; readonly teamId: string }[]
    }
  /** All feed rows and all events of each named challenge: they replace what was there. */
  | {
      readonly kind: 'feed'
      readonly challengeIds: readonly string[]
      readonly rows: readonly FeedRow[]
      readonly events: readonly FeedEvent[]
    }
  /** Feed events that came since, in the order of their ids. The rows follow from them. */
  | { readonly kind: 'pushes'; readonly events: readonly FeedEvent[] }
  | { readonly kind: 'settings'; readonly settings: SettingsOverrides }
  /** Time has come for scheduled releases. The only way in which time enters the world. */
  | { readonly kind: 'clock'; readonly now: number }

/** A challenge as readers see it. One object per version of the challenge: it may key a cache. */
export interface Challenge extends ChallengeRow {
  /** Not hidden, and its release time has come. */
  readonly isPublic: boolean
  /** Current value; 0 for a dynamic challenge, and while not public. */
  readonly points: number
  /** Counted flag solves; for a dynamic challenge the teams, not banned, with a score other than zero. */
  readonly solveCount: number
}

export interface Standing {
  readonly score: number
  /** Null while banned or without a counted solve. */
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
}

export interface Solve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
}

export interface DynamicScore {
  readonly challengeId: string
  readonly points: number
  /** The team's change in the challenge's latest tick; null when it had no entry in that one. */
  readonly delta: number | null
}

/** What was pushed for a team on one challenge, public or not. */
export interface FeedScoreOfTeam {
  readonly challengeId: string
  readonly points: number
  /** When the team first got a score other than zero here. */
  readonly scoredAt: number
}

export interface GraphPoint {
  readonly time: number
  readonly score: number
}

export interface GraphLine {
  readonly teamId: string
  /** Newest first, the head point included. */
  readonly points: readonly GraphPoint[]
  readonly dynamicPoints: readonly GraphPoint[]
}

/** Numbers that rise when something a reader may have kept is no longer true. They key the prepared answers. */
export interface Versions {
  /** Ranks, scores, and whatever a row of the board shows (names, avatars, solves). */
  readonly board: number
  /** What the list of public challenges shows: texts, values, counts, visibility. */
  readonly challenges: number
  /** Settings overrides. */
  readonly settings: number
}

/** The contest in memory, for reading. Nothing here runs SQL or waits. */
export interface WorldView {
  readonly versions: Versions
  readonly settings: SettingsOverrides
  /** Effective event window. */
  readonly startTime: number
  readonly endTime: number
  /** The instant of the last `clock` change. */
  readonly now: number

  team(id: string): TeamRow | undefined
  /** All teams, in no promised order. */
  teams(): Iterable<TeamRow>
  teamCount(): number
  findTeamByExtrankId(extrankId: string): TeamRow | undefined
  /** By the normalised address. */
  findTeamByEmail(email: string): TeamRow | undefined

  /** Any challenge, hidden ones too. */
  challenge(id: string): Challenge | undefined
  /** All challenges, by sort weight ascending (unset last), then id descending. */
  challenges(): readonly Challenge[]
  /** The public ones, in the same order. */
  publicChallenges(): readonly Challenge[]
  /** The next future release time, or null. */
  nextReleaseAt(): number | null

  standing(teamId: string): Standing
  /** How many teams are ranked, in a division when one is named. */
  rankedCount(division?: string): number
  /** Ids of ranked teams by global place, from `offset`, at most `limit`. */
  ranked(page: {
    readonly division?: string | undefined
    readonly offset: number
    readonly limit: number
  }): string[]
  /** Ids of ranked teams whose name contains the text: exact, prefix, other matches, each by global place. */
  searchRanked(text: string, division?: string): string[]

  /** The team's solve of a challenge, whether it counts or not. */
  solve(challengeId: string, teamId: string): Solve | undefined
  /** Whether the team has one: cheaper than the solve itself, which needs its id written out. */
  hasSolved(challengeId: string, teamId: string): boolean
  /** All solves of a team, hidden challenges included, oldest first. */
  solvesOfTeam(teamId: string): Solve[]
  /** Solves of a challenge by teams not banned, oldest first, ties by solve id. */
  solvesOfChallenge(challengeId: string): ChallengeSolves
  /** How many solves the team has, counted or not. */
  solveCountOfTeam(teamId: string): number

  /** The team's feed scores on public dynamic challenges. */
  dynamicScores(teamId: string): DynamicScore[]
  dynamicScore(challengeId: string, teamId: string): DynamicScore | undefined
  /** All feed scores of a team, hidden challenges included, in the order of the challenges. */
  feedScoresOfTeam(teamId: string): FeedScoreOfTeam[]

  /** Who has what on a public dynamic challenge, best first; empty for any other. */
  scoresOfChallenge(challengeId: string): ChallengeScores

  /** Lines of the teams in the order asked for (contract, admin 1.5); `sampleMs` is the bucket. */
  graph(teamIds: readonly string[], sampleMs: number): GraphLine[]

  /** A number that rises when the team's own row, solves or feed scores change. */
  teamVersion(teamId: string): number
}

/** The solves of one challenge without building a row for each. */
export interface ChallengeSolves {
  readonly length: number
  /** At most `limit` solves from `offset`. */
  slice(offset: number, limit: number): Solve[]
  /** 1-based, or null when the team is not among them. */
  positionOf(teamId: string): number | null
}

export interface RankedScore {
  readonly teamId: string
  readonly points: number
  /** As in `DynamicScore`. */
  readonly delta: number | null
  /** From 1. */
  readonly place: number
}

/** The scores on one dynamic challenge of the teams not banned: by points, then by who first had any. */
export interface ChallengeScores {
  readonly length: number
  /** At most `limit` from `offset`. */
  slice(offset: number, limit: number): RankedScore[]
  /** From 1; null for a team that has no score, or is banned. */
  placeOf(teamId: string): number | null
  /** The teams' points on this challenge alone, each newest first. Unknown teams have none. */
  graph(teamIds: readonly string[], sampleMs: number): GraphPoint[][]
}
