// The interface of the world: rows as stored in the database, changes that the follower passes to the fold, and the view
// that features read. Times are Unix milliseconds, points are integers.

import type { ScoreFormula } from '../lib/score-formula.ts'
import type { FeedColumns, SolveColumns } from './bulk-columns.ts'
import type {
  ChallengeScores,
  ChallengeSolves,
  DynamicScore,
  FeedScoreOfTeam,
  GraphLine,
  PastQuery,
  PastRanks,
  Solve,
  Standing,
  TeamSolve,
  Versions,
} from './reads.ts'
import type { RowKind, RowsChange, RowsOfKind } from './row-kind.ts'
import type { TrackRow } from './tracks.ts'

export interface TeamRow {
  readonly id: string
  /** Compact number (`teams.n`), which identifies the team in the columns of a bulk load. */
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
  /** Tokens issued before this time are invalid; 0 if none are. */
  readonly tokensValidFrom: number
  /** The token of the team itself is refused. */
  readonly tokenOff?: boolean
  /** As declared; `WorldView.trackOf` has the one that applies. */
  readonly track?: string | null
  readonly agent?: Agent | null
}

/** What a team of agents says of itself. */
export interface Agent {
  /** Who runs it. */
  readonly operator: string
  readonly model: string
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
   * Compact number (`challenges.n`). If it changes for a known id, the challenge was deleted and created again between
   * two reads, and the solves and scores of the old one are gone.
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
  /** Null: no one said whether it is eligible, and it follows from the points. */
  readonly tiebreakChoice?: boolean | null
  readonly sortWeight: number | null
  readonly hidden: boolean
  readonly releaseAt: number | null
  readonly scoringKind: ScoringKind
  readonly scoringSecret: string | null
  readonly instancerConfig: Readonly<Record<string, unknown>> | null
  readonly adminBotConfig: Readonly<Record<string, unknown>> | null
  readonly tags: readonly string[] | null
  /** The wave that decides `releaseAt`. */
  readonly waveId?: string | null
  /** A team must have solved these. */
  readonly prerequisites?: readonly string[]
  /** Whether teams that have not see its name. */
  readonly lockedShown?: boolean
  readonly version: number
}

export interface SolveRow {
  /** A UUID. */
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
  /** Ranks at solve time; null until they are recorded. */
  readonly globalRank: number | null
  readonly divisionRank: number | null
  /** The team says that it had the help of an agent. */
  readonly isAssisted?: boolean
}

export interface FeedRow {
  readonly challengeId: string
  readonly teamId: string
  readonly points: number
  /** When the team first had a score other than zero on this challenge. */
  readonly scoredAt: number
  /** The team's change in its own latest tick, and the time of that tick. */
  readonly delta: number
  readonly tickAt: number
}

export interface FeedEvent {
  /** Ascending in order of insertion. */
  readonly id: number
  readonly challengeId: string
  readonly teamId: string
  readonly delta: number
  readonly at: number
}

/** Stored overrides of the configuration: docs/reference/administration.md#event-settings */
export interface SettingsOverrides {
  readonly ctfName?: string
  readonly homeContent?: string
  readonly startTime?: number
  readonly endTime?: number
  /** Participants see the standings of this time until the results are published. */
  readonly freezeTime?: number
  readonly resultsPublished?: boolean
  /** Everyone sees the statistics after the end. */
  readonly statisticsPublic?: boolean
  /** Who sees which part of the event, by part. */
  readonly visibility?: Readonly<Record<string, string>>
  /** Who is responsible for personal data, and when it is erased. */
  readonly privacy?: {
    readonly controller?: string | undefined
    readonly eraseAt?: number | undefined
    readonly eraseAfterDays?: number | undefined
    readonly eraseMessages?: boolean | undefined
  }
  /** Texts show pictures of other sites. */
  readonly externalPictures?: boolean
  /** From the strictest to the most permissive: docs/reference/tracks.md */
  readonly tracks?: readonly TrackSettings[]
  /** From this time on teams do not change their track. */
  readonly tracksLockAt?: number
  readonly registrationMode?: 'open' | 'code' | 'approval' | 'closed'
  readonly registrationOpensAt?: number
  readonly registrationClosesAt?: number
  readonly maxTeams?: number
  readonly waitingList?: boolean
  /** What teams and people are asked for. */
  readonly fields?: readonly object[]
  /** Rules on the answers. */
  readonly eligibility?: readonly object[]
  readonly sponsors?: readonly { name: string; icon: string; description: string; url?: string }[]
  readonly meta?: { readonly description?: string; readonly imageUrl?: string }
  readonly faviconUrl?: string
  readonly logoLightUrl?: string
  readonly logoDarkUrl?: string
}

/** `main`: the main standings, with the track of each team. Ids: the standings among the teams of these alone. */
export type AskedTracks = 'main' | readonly string[]

export interface TrackSettings extends TrackRow {
  readonly label: string
  /** A short text for players. */
  readonly policy: string
  /** Teams may declare it. */
  readonly mayRegister: boolean
  readonly getsPrizes: boolean
  /** Its teams name an operator and a model. */
  readonly namesAgent: boolean
}

/** A position in the change log. After a failover another row may have the same `seq`; its `mark` differs. */
export interface LogPosition {
  readonly seq: number
  readonly mark: string | null
}

/** The key of a solve. */
export interface SolvePair {
  readonly challengeId: string
  readonly teamId: string
}

/** Everything that the world is built from, read in one snapshot. */
export interface WorldRows {
  readonly teams: readonly TeamRow[]
  readonly challenges: readonly ChallengeRow[]
  readonly solves: readonly SolveRow[]
  /** More solves, in bulk, to avoid 400,000 objects. Requires `n` in the rows of `teams` and `challenges`. */
  readonly solveColumns?: readonly SolveColumns[]
  readonly feed: readonly FeedRow[]
  readonly feedEvents: readonly FeedEvent[]
  /** More events, in bulk. */
  readonly feedColumns?: readonly FeedColumns[]
  readonly settings: SettingsOverrides
  /** Of the kinds that are values. */
  readonly rows?: readonly RowsOfKind[]
  /** The latest solves in the order of the change log, to compute ranks that are not recorded yet. */
  readonly latestSolves?: readonly SolvePair[]
}

/** The configuration that the standings depend on. */
export interface WorldRules {
  readonly score: ScoreFormula
  /** The configured event window; stored settings override it. */
  readonly startTime: number
  readonly endTime: number
  readonly freezeTime?: number | null
}

/**
 * Input of the fold. Changes are idempotent: they contain complete rows, not differences, and keys without a row are
 * listed as removed.
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
  /** All feed rows and all events of each challenge in `challengeIds`; they replace the previous ones. */
  | {
      readonly kind: 'feed'
      readonly challengeIds: readonly string[]
      readonly rows: readonly FeedRow[]
      readonly events: readonly FeedEvent[]
    }
  /** New feed events, in id order. The scores are derived from them. */
  | { readonly kind: 'pushes'; readonly events: readonly FeedEvent[] }
  | { readonly kind: 'settings'; readonly settings: SettingsOverrides }
  | RowsChange
  /** Releases what is scheduled. The world has no other source of time. */
  | { readonly kind: 'clock'; readonly now: number }

/** A challenge as readers see it. One object per version of the challenge, so it can be used as a cache key. */
export interface Challenge extends ChallengeRow {
  /** Not hidden, and released. */
  readonly isPublic: boolean
  /** Current value; 0 for a dynamic challenge, and while not public. */
  readonly points: number
  /** Counted flag solves; for a dynamic challenge, teams with a score other than zero that are not banned. */
  readonly solveCount: number
  /** The number of released rows by their kind, such as `hints`; kinds without any are missing. */
  readonly released: Readonly<Record<string, number>>
}

/** The contest in memory, for reading. All reads are synchronous and run no SQL. */
export interface WorldView {
  readonly versions: Versions
  /** Cache key of everything that the scoreboard and the challenge list show, unique within this process. */
  readonly boardKey: string
  /** Cache key of the solves of a challenge and of all that their rows show, unique within this process. */
  solvesKey(challengeId: string): string
  /** Cache key of the places of all solves, and of what their first values depend on, unique within this process. */
  readonly placesKey: string
  /** Cache key of the stored settings. */
  readonly settingsKey: string
  readonly settings: SettingsOverrides
  /** Effective event window. */
  readonly startTime: number
  readonly endTime: number
  /** The time of the last `clock` change. */
  readonly now: number
  /** Solves and scores after this time are left out: docs/reference/freeze.md. Null if it shows all. */
  readonly frozenAt: number | null
  /** For what only the team itself sees: includes what it did after `frozenAt`. */
  readonly own: Pick<WorldView, 'hasSolved' | 'dynamicScore'>

  team(id: string): TeamRow | undefined
  /** All teams, in no particular order. */
  teams(): Iterable<TeamRow>
  teamCount(): number
  findTeamByExtrankId(extrankId: string): TeamRow | undefined
  /** By normalised address. */
  findTeamByEmail(email: string): TeamRow | undefined

  /** Includes hidden challenges. */
  challenge(id: string): Challenge | undefined
  /** All challenges, by sort weight ascending (unset last), then id descending. */
  challenges(): readonly Challenge[]
  /** The public ones, in the same order. */
  publicChallenges(): readonly Challenge[]
  /** The next future release time of a challenge or a row of it, or null. */
  nextReleaseAt(): number | null

  /** The rows of a kind, as it arranges them. The same object until they change. */
  rows<Row extends object, Slice>(kind: RowKind<Row, Slice>): Slice

  /** The tracks that the reader asked for; null if it did not ask, and then nothing shows that there are tracks. */
  readonly askedTracks: AskedTracks | null
  /** The track that applies to the team; null without tracks. */
  trackOf(teamId: string): string | null
  /** With `tracks`, ranks are those among the teams of these; without, those of the main standings. */
  standing(teamId: string, tracks?: readonly string[]): Standing
  /** The number of ranked teams, in total or in one division. */
  rankedCount(division?: string, tracks?: readonly string[]): number
  /** Ids of ranked teams by global rank, from `offset`, at most `limit`. */
  ranked(page: {
    readonly division?: string | undefined
    readonly tracks?: readonly string[] | undefined
    readonly offset: number
    readonly limit: number
  }): string[]
  /** Ids of ranked teams whose name contains the text: exact, prefix, other matches, each by global rank. */
  searchRanked(text: string, division?: string, tracks?: readonly string[]): string[]

  /** The team's solve of a challenge, counted or not. */
  solve(challengeId: string, teamId: string): Solve | undefined
  /** Cheaper than `solve`, which converts the id to text. */
  hasSolved(challengeId: string, teamId: string): boolean
  /** Which of the challenges the team has solved: 1 or 0 for each. */
  solvedMarks(challenges: readonly Challenge[], teamId: string): Uint8Array
  /** The time of the solve, as cheap. Null if there is none. */
  solvedAt(challengeId: string, teamId: string): number | null
  /** All solves of a team, hidden challenges included, oldest first. */
  solvesOfTeam(teamId: string): TeamSolve[]
  /** Solves of a challenge by teams not banned, oldest first, ties by solve id. */
  solvesOfChallenge(challengeId: string): ChallengeSolves
  /** The number of solves of the team, counted or not. */
  solveCountOfTeam(teamId: string): number

  /** The team's feed scores on public dynamic challenges. */
  dynamicScores(teamId: string): DynamicScore[]
  dynamicScore(challengeId: string, teamId: string): DynamicScore | undefined
  /** All feed scores of a team, hidden challenges included, in the order of the challenges. */
  feedScoresOfTeam(teamId: string): FeedScoreOfTeam[]

  /** The scores on a public dynamic challenge, best first; empty for any other challenge. */
  scoresOfChallenge(challengeId: string): ChallengeScores

  /** Graph lines in the order of `teamIds`, in buckets of `sampleMs`: docs/reference/scoring.md#score-graph */
  graph(teamIds: readonly string[], sampleMs: number): GraphLine[]

  /** The scores that the teams had at each of the times, in the order of `teamIds`; 0 for unknown teams. */
  scoresAt(teamIds: readonly string[], past: PastQuery): number[][]
  /**
   * The ranks at an earlier time, by today's settings: challenges that are hidden now and teams that are banned now do
   * not count. Reads all solves and sorts all teams, so callers keep the result.
   */
  ranksAt(time: number, sampleMs: number, tracks?: readonly string[]): PastRanks

  /** Increases when the team's own row, solves or feed scores change. */
  teamVersion(teamId: string): number
}

/** The world, and what of it participants see. One object unless the standings are frozen. */
export interface Views {
  readonly live: WorldView
  /** Without the solves, scores and adjustments after the freeze: docs/reference/freeze.md */
  readonly shown: WorldView
}
