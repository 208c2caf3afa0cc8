// What the functions of `WorldView` return. Times are Unix milliseconds, points are integers.

export interface Standing {
  readonly score: number
  /** Null while banned, or without a counted solve and an award. */
  readonly globalRank: number | null
  readonly divisionRank: number | null
}

export interface Solve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
  readonly globalRank: number | null
  readonly divisionRank: number | null
  /** The team says that it had the help of an agent. */
  readonly isAssisted?: true
}

/** A solve in the list of a team. */
export type TeamSolve = Pick<Solve, 'challengeId' | 'createdAt' | 'isAssisted'>

export interface DynamicScore {
  readonly challengeId: string
  readonly points: number
  /** The team's change in the challenge's latest tick; null if it had none. */
  readonly delta: number | null
}

/** A team's feed score on one challenge, public or not. */
export interface FeedScoreOfTeam {
  readonly challengeId: string
  readonly points: number
  /** When the team first had a score other than zero on this challenge. */
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

/** Which past moments to look at. */
export interface PastQuery {
  /** Ascending. */
  readonly times: readonly number[]
  /** As for the graph: pushed scores count from the end of their bucket. */
  readonly sampleMs: number
}

/** Ranks by team id, from 1, in rank order. Teams that were not ranked are missing. */
export interface PastRanks {
  readonly global: ReadonlyMap<string, number>
  readonly inDivision: ReadonlyMap<string, number>
  readonly scores: ReadonlyMap<string, number>
  /** What each public challenge with flags was worth, by id. */
  readonly values: ReadonlyMap<string, number>
}

/** Counters for cache invalidation. Each increases when the data that it covers changes. */
export interface Versions {
  /** Ranks, scores and everything else that a row of the scoreboard shows (names, avatars, solves). */
  readonly board: number
  /** The part of `board` that is not about hidden challenges alone. */
  readonly shown: number
  /** What the scoreboard shows of the rows of teams: names, pictures, divisions, bans. */
  readonly teams: number
  /** The list of public challenges: texts, values, counts, visibility. */
  readonly challenges: number
  /** Settings overrides. */
  readonly settings: number
}

/** The solves of one challenge. Creates objects only for the slice that is read. */
export interface ChallengeSolves {
  readonly length: number
  /** At most `limit` solves from `offset`. */
  slice(offset: number, limit: number): Solve[]
  /** The number of solves before a time. Unix milliseconds. */
  countBefore(at: number): number
  /** From 1; null if the team is not in the list. */
  positionOf(teamId: string): number | null
  /** The first solves by teams that take first bloods, at most three. */
  bloods(): Solve[]
  /** Of the first `position` solves, those that the value of the challenge depends on. */
  pricing(position: number): { readonly solves: number; readonly firstAt: number | null }
}

export interface RankedScore {
  readonly teamId: string
  readonly points: number
  /** As in `DynamicScore`. */
  readonly delta: number | null
  /** From 1. */
  readonly rank: number
}

/** The scores on one dynamic challenge of teams that are not banned, by points, then by `scoredAt`. */
export interface ChallengeScores {
  readonly length: number
  /** At most `limit` from `offset`. */
  slice(offset: number, limit: number): RankedScore[]
  /** From 1; null for a team without a score or a banned team. */
  rankOf(teamId: string): number | null
  /** The teams' points on this challenge, each newest first; empty for unknown teams. */
  graph(teamIds: readonly string[], sampleMs: number): GraphPoint[][]
}
