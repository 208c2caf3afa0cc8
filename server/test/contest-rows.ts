import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { ChallengeRow, FeedRow, SolveRow, TeamRow, WorldRows, WorldRules } from '../src/world/model.ts'

// Rows of a small contest for tests that read the world. Fields that a test does not set have defaults.

export const start = Date.UTC(2026, 0, 10, 12)
export const end = start + 48 * 60 * MINUTE_MS

/** A value drops by one point per solve, so every repricing is visible. */
export const rules: WorldRules = {
  score: { needs: { maxSolves: false, firstSolve: false }, value: ({ max, solves }) => max - solves },
  startTime: start,
  endTime: end,
}

export function teamRow(id: string, row: Partial<TeamRow> = {}): TeamRow {
  return {
    id,
    name: `Team ${id}`,
    email: `${id}@teams.test`,
    division: 'open',
    perms: 0,
    banned: false,
    extrankId: null,
    avatarUrl: null,
    countryCode: null,
    statusText: null,
    createdAt: start - 60 * MINUTE_MS,
    tokensValidFrom: 0,
    ...row,
  }
}

export function challengeRow(id: string, row: Partial<ChallengeRow> = {}): ChallengeRow {
  return {
    id,
    name: `Challenge ${id}`,
    description: `About ${id} – ünïcode ✓`,
    category: 'misc',
    author: 'ann',
    flags: [{ provider: 'flags/static', config: { flag: 'flag{x}' } }],
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
    ...row,
  }
}

/** Ids increase with the number, so ties are broken by the number. */
export function solveRow(number: number, row: Pick<SolveRow, 'challengeId' | 'teamId'> & Partial<SolveRow>) {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    createdAt: start + number * MINUTE_MS,
    globalRank: null,
    divisionRank: null,
    ...row,
  }
}

export function feedRow(challengeId: string, teamId: string, row: Partial<FeedRow> = {}): FeedRow {
  const tickAt = start + MINUTE_MS
  return { challengeId, teamId, points: 10, scoredAt: tickAt, delta: 10, tickAt, ...row }
}

export function worldRows(rows: Partial<WorldRows> = {}): WorldRows {
  return { teams: [], challenges: [], solves: [], feed: [], feedEvents: [], settings: {}, ...rows }
}
