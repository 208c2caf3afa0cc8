import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import type { Client } from '@pennant/contract/client.ts'
import { getLeaderboardV2, getLeaderboardWithGraph } from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'

// Where a solve shows.

export const VIEWS = ['leaderboard', 'challenges', 'yourScore', 'profile', 'graph'] as const
export type ViewName = (typeof VIEWS)[number]

/** A solve of a team that is on the first page of the scoreboard, of a challenge that no one else solves meanwhile. */
export interface Expected {
  readonly teamId: string
  readonly token: string
  readonly challengeId: string
  /** Solves of the challenge, this one included. */
  readonly solves: number
}

/** What a view says about the team or the challenge once it shows the solve. */
export interface Seen {
  readonly score?: number
  readonly points?: number
}

/** Reads a view once; null if it does not show the solve. */
type Reader = (call: Client, expected: Expected) => Promise<Seen | null>

const PAGE = { limit: '100', offset: '0' } as const

export const readers: Readonly<Record<ViewName, Reader>> = {
  async leaderboard(call, { teamId, challengeId }) {
    const page = await call(getLeaderboardV2, { query: PAGE })
    if (page.kind !== 'goodLeaderboard') return refuse(page.kind)
    const row = page.data.leaderboard.find(({ id }) => id === teamId)
    return row?.solves.some(({ id }) => id === challengeId) ? { score: row.score } : null
  },
  async challenges(call, { challengeId, solves }) {
    const list = await call(listChallengesV2, {})
    if (list.kind !== 'goodChallenges') return refuse(list.kind)
    const found = list.data.find(({ id }) => id === challengeId)
    return found && found.solves >= solves ? { points: found.points } : null
  },
  async yourScore(call, { token, challengeId }) {
    const list = await call(listChallengesV2, { token })
    if (list.kind !== 'goodChallenges') return refuse(list.kind)
    const points = list.data.find(({ id }) => id === challengeId)?.yourScore
    if (points === undefined) return null
    return { points, score: list.data.reduce((sum, { yourScore = 0 }) => sum + yourScore, 0) }
  },
  async profile(call, { token, challengeId }) {
    const own = await call(readOwnProfileV2, { token })
    if (own.kind !== 'goodUserSelfData') return refuse(own.kind)
    return own.data.solves.some(({ id }) => id === challengeId) ? { score: own.data.score } : null
  },
  async graph(call, { teamId, challengeId }) {
    const page = await call(getLeaderboardWithGraph, { query: PAGE })
    if (page.kind !== 'goodLeaderboardWithGraph') return refuse(page.kind)
    const row = page.data.leaderboard.find(({ id }) => id === teamId)
    if (!row?.solves.some(({ id }) => id === challengeId)) return null
    // Samples are ordered newest first.
    const score = page.data.graph.find(({ id }) => id === teamId)?.points[0]?.score
    return score === row.score ? { score } : null
  },
}

function refuse(kind: string): null {
  // An overloaded server refuses reads: the next one is counted.
  if (kind === 'errorUnavailable' || kind === 'badRateLimit') return null
  throw new Error(`a view cannot be read: ${kind}`)
}

/** Whether the views say the same, when no one else has solved anything meanwhile. */
export function agree(seen: readonly Seen[]): boolean {
  const same = (key: keyof Seen) => new Set(seen.flatMap((each) => each[key] ?? [])).size <= 1
  return same('score') && same('points')
}
