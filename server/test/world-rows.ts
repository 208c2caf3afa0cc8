import type { ChallengeRow, FeedEvent, FeedRow, SolveRow, TeamRow, WorldRows } from '../src/world/model.ts'

// Rows of a world for tests; a test sets only the fields it is about.

export function teamRow(id: string, fields: Partial<TeamRow> = {}): TeamRow {
  return {
    id,
    name: `Team ${id}`,
    email: `${id}@example.com`,
    division: 'open',
    perms: 0,
    banned: false,
    extrankId: null,
    avatarUrl: null,
    countryCode: null,
    statusText: null,
    createdAt: 0,
    tokensValidFrom: 0,
    ...fields,
  }
}

export function challengeRow(id: string, fields: Partial<ChallengeRow> = {}): ChallengeRow {
  return {
    id,
    name: `Challenge ${id}`,
    description: '',
    category: 'misc',
    author: '',
    flags: [],
    files: [],
    pointsMin: 100,
    pointsMax: 500,
    tiebreakEligible: true,
    sortWeight: null,
    hidden: false,
    releaseAt: null,
    scoringKind: 'decay',
    scoringSecret: null,
    instancerConfig: null,
    adminBotConfig: null,
    tags: null,
    version: 1,
    ...fields,
  }
}

/** A UUID that sorts by `number`. */
export function solveId(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

let lastSolve = 0

export function solveRow(
  challengeId: string,
  teamId: string,
  fields: Partial<SolveRow> & Pick<SolveRow, 'createdAt'>,
): SolveRow {
  return {
    id: solveId((lastSolve += 1)),
    challengeId,
    teamId,
    globalRank: null,
    divisionRank: null,
    ...fields,
  }
}

export function feedRow(challengeId: string, teamId: string, fields: Partial<FeedRow> = {}): FeedRow {
  return { challengeId, teamId, points: 10, scoredAt: 0, delta: 10, tickAt: 0, ...fields }
}

let lastEvent = 0

export function feedEvent(challengeId: string, teamId: string, fields: Partial<FeedEvent> = {}): FeedEvent {
  return { id: (lastEvent += 1), challengeId, teamId, delta: 10, at: 0, ...fields }
}

export function worldRows(fields: Partial<WorldRows> = {}): WorldRows {
  return { teams: [], challenges: [], solves: [], feed: [], feedEvents: [], settings: {}, ...fields }
}
