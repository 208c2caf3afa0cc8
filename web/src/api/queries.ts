import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import {
  getGraphV2,
  getLatestSolves,
  getLeaderboardChallenges,
  getLeaderboardV2,
} from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV2, readOwnResults, readProfileV2 } from '@pennant/contract/teams.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { refreshForAll, refreshStreamed as refresh } from '../state/live.ts'
import { learnStart, learnTeam } from '../state/opening.ts'
import { isClosed, learnVisibility } from '../state/visibility.ts'
import { requestData } from './client.ts'

// Queries of the pages: docs/reference/site.md#refresh-intervals. Reads without `asTeam` send no token, so
// that one rendered body serves everyone; the team's own part is joined from `ownTeamQuery`.

/** First part of the key of every query that belongs to the team; these are dropped with the token. */
export const OWN_KEY = 'own'

/** The number of questions of teams that wait for an organiser. */
export const WAITING_MESSAGES_KEY = [OWN_KEY, 'admin-messages', 'waiting'] as const

/** Rows per page of the scoreboard and of solve lists. */
export const PAGE_SIZE = 25

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => {
    let config = await requestData(getClientConfigV2, {}, { signal })
    const isHomeMissing = config.visibility?.home !== undefined && !isClosed(getClientConfigV2)
    learnVisibility(config.visibility)
    // With the token, for the home page.
    if (isHomeMissing) config = await requestData(getClientConfigV2, {}, { signal })
    learnStart(config.startTime)
    return config
  },
  ...refreshForAll(5 * MINUTE_MS),
})

export const ownTeamQuery = queryOptions({
  queryKey: [OWN_KEY, 'team'],
  queryFn: async ({ signal }) => {
    const team = await requestData(readOwnResults, {}, { signal })
    learnTeam(team.id)
    return team
  },
  ...refresh(30 * SECOND_MS),
})

/** With what only the pages of the team itself show. Whatever invalidates the own team invalidates it too. */
export const ownProfileQuery = queryOptions({
  queryKey: [...ownTeamQuery.queryKey, 'profile'],
  queryFn: ({ signal }) => requestData(readOwnProfileV2, {}, { signal }),
  ...refresh(30 * SECOND_MS),
})

const ownIf = (bypass: boolean) => (bypass ? [OWN_KEY] : [])

/** The public profile of a team; `bypass` requests it before the start, for teams with the permission. */
export function profileQuery(
  id: string,
  { bypass = false, query = {} }: { bypass?: boolean; query?: { track?: string } } = {},
) {
  return queryOptions({
    queryKey: [...ownIf(bypass), 'team', id],
    queryFn: ({ signal }) =>
      requestData(readProfileV2, { params: { id }, query }, { signal, asTeam: bypass, turn: 'later' }),
    placeholderData: keepPreviousData,
    ...refreshForAll(MINUTE_MS),
  })
}

/** The anonymous list, unless challenges have prerequisites; with `bypass`, the list that a team with the permission sees before the start. */
export function challengesQuery({ bypass = false, everyMs = MINUTE_MS as number | null } = {}) {
  return queryOptions({
    queryKey: bypass ? [OWN_KEY, 'challenges'] : ['challenges'],
    queryFn({ signal, client }) {
      const asTeam = bypass || client.getQueryData(configQuery.queryKey)?.prerequisites === true
      return requestData(listChallengesV2, {}, { signal, asTeam, turn: 'first' })
    },
    // At the start, keeps the list that a privileged team already saw until the public one is loaded.
    placeholderData: keepPreviousData,
    ...refresh(everyMs),
  })
}

export interface BoardFilter {
  readonly division?: string | undefined
  /** As in the parameter of the API. */
  readonly track?: string | undefined
  readonly search?: string | undefined
}

interface BoardPage extends BoardFilter {
  /** Zero-based. */
  readonly page: number
  readonly limit?: number
  readonly everyMs?: number | null
  /** Use the view of a team with the permission to see it before the start. */
  readonly bypass?: boolean
}

export function boardQuery(board: BoardPage) {
  const { page, limit = PAGE_SIZE, everyMs = 15 * SECOND_MS, bypass = false, ...filter } = board
  const query = { limit: String(limit), offset: String(page * limit), ...filter, with: 'trend' as const }
  return queryOptions({
    queryKey: [...ownIf(bypass), 'board', { ...filter, limit }, page],
    queryFn: ({ signal }) =>
      requestData(getLeaderboardV2, { query: present(query) }, { signal, asTeam: bypass, turn: 'later' }),
    placeholderData: keepPreviousData,
    ...refresh(everyMs),
  })
}

/** The graph of a range of ranks; the first ten by default. */
export function graphQuery({
  offset = 0,
  limit = 10,
  bypass = false,
  ...filter
}: Omit<BoardFilter, 'search'> & { offset?: number; limit?: number; bypass?: boolean }) {
  const query = { limit: String(limit), offset: String(offset), ...filter, sample: 'fine' as const }
  return queryOptions({
    queryKey: [...ownIf(bypass), 'graph', { ...filter, offset, limit }],
    queryFn: ({ signal }) =>
      requestData(getGraphV2, { query: present(query) }, { signal, asTeam: bypass, turn: 'later' }),
    ...refresh(MINUTE_MS),
  })
}

/** Points, solve count and bloods of each public challenge. */
export function boardChallengesQuery({ bypass = false } = {}) {
  return queryOptions({
    queryKey: [...ownIf(bypass), 'board-challenges'],
    queryFn: ({ signal }) =>
      requestData(getLeaderboardChallenges, {}, { signal, asTeam: bypass, turn: 'later' }),
    ...refresh(30 * SECOND_MS),
  })
}

/** The latest solves of all teams and the latest first bloods, newest first. */
export function latestSolvesQuery(everyMs: number) {
  return queryOptions({
    queryKey: ['latest-solves'],
    queryFn: ({ signal }) => requestData(getLatestSolves, {}, { signal, turn: 'later' }),
    ...refresh(everyMs),
  })
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Removes the properties that are undefined or empty. */
function present<T extends object>(query: T): Present<T> {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as Present<T>
}
