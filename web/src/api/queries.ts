import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { getGraphV2, getLeaderboardChallenges, getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { refreshForAll as refresh } from '../state/live.ts'
import { learnStart, learnTeam } from '../state/opening.ts'
import { ask } from './client.ts'

// What pages read (site specification 2.5). Reads without `asTeam` carry no token, so that one prepared answer serves
// everybody; the team's own part is joined from `ownTeamQuery`.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Begins the key of each query that is the team's own: forgotten with the token. */
export const ownKey = 'own'

/** Rows of one page of the board, and of a list of solves. */
export const pageSize = 25

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => {
    const config = await ask(getClientConfigV2, {}, { signal })
    learnStart(config.startTime)
    return config
  },
  ...refresh(5 * MINUTE_MS),
})

export const ownTeamQuery = queryOptions({
  queryKey: [ownKey, 'team'],
  queryFn: async ({ signal }) => {
    const team = await ask(readOwnProfileV2, {}, { signal })
    learnTeam(team.id)
    return team
  },
  ...refresh(30 * SECOND_MS),
})

/** The anonymous list; with `bypass`, what a team with the right sees before the start. */
export function challengesQuery({ bypass = false, everyMs = MINUTE_MS as number | null } = {}) {
  return queryOptions({
    queryKey: bypass ? [ownKey, 'challenges'] : ['challenges'],
    queryFn: ({ signal }) => ask(listChallengesV2, {}, { signal, asTeam: bypass, turn: 'first' }),
    // At the start the list that a team with the right saw before stays until the public one is here.
    placeholderData: keepPreviousData,
    ...refresh(everyMs),
  })
}

export interface BoardFilter {
  readonly division?: string | undefined
  readonly search?: string | undefined
}

interface BoardPage extends BoardFilter {
  /** From 0. */
  readonly page: number
  readonly limit?: number
  readonly everyMs?: number | null
  /** What a team with the right sees before the start. */
  readonly bypass?: boolean
}

export function boardQuery(board: BoardPage) {
  const { page, division, search, limit = pageSize, everyMs = 15 * SECOND_MS, bypass = false } = board
  const query = { limit: String(limit), offset: String(page * limit), division, search }
  return queryOptions({
    queryKey: [...(bypass ? [ownKey] : []), 'board', { division, search, limit }, page],
    queryFn: ({ signal }) =>
      ask(getLeaderboardV2, { query: present(query) }, { signal, asTeam: bypass, turn: 'later' }),
    placeholderData: keepPreviousData,
    ...refresh(everyMs),
  })
}

/** The graph of some places of the order, the first ten unless told. */
export function graphQuery({
  division,
  offset = 0,
  limit = 10,
  bypass = false,
}: BoardFilter & { offset?: number; limit?: number; bypass?: boolean }) {
  const query = { limit: String(limit), offset: String(offset), division }
  return queryOptions({
    queryKey: [...(bypass ? [ownKey] : []), 'graph', { division, offset, limit }],
    queryFn: ({ signal }) =>
      ask(getGraphV2, { query: present(query) }, { signal, asTeam: bypass, turn: 'later' }),
    ...refresh(MINUTE_MS),
  })
}

/** Points, solve count and bloods of each public challenge. */
export function boardChallengesQuery({ bypass = false } = {}) {
  return queryOptions({
    queryKey: [...(bypass ? [ownKey] : []), 'board-challenges'],
    queryFn: ({ signal }) => ask(getLeaderboardChallenges, {}, { signal, asTeam: bypass, turn: 'later' }),
    ...refresh(30 * SECOND_MS),
  })
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Without the parts that are undefined or empty. */
function present<T extends object>(query: T): Present<T> {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as Present<T>
}
