import type { StreamEventData, StreamEventName } from '@pennant/contract/stream.ts'
import { LATEST_BLOODS, LATEST_SOLVES } from '@pennant/contract/leaderboard.ts'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { learnStart } from '../../state/opening.ts'
import {
  boardChallengesQuery,
  challengesQuery,
  configQuery,
  latestSolvesQuery,
  OWN_KEY,
  ownProfileQuery,
  ownTeamQuery,
} from '../queries.ts'
import { announcementsQuery } from '../announcements.ts'
import { nextWaveQuery } from '../waves.ts'
import { forEveryone, mergeAnnouncements } from '../merge-announcements.ts'
import type { StreamEvent } from './connect.ts'

/** What the stream keeps up to date. */
export const STREAMED_KEYS = [
  ['latest-solves'],
  ['board'],
  ['challenges'],
  ['board-challenges'],
  ['graph'],
  ['announcements'],
  ['next-wave'],
] as const
/** The same reads of a team that may see them before the start, and the team itself. */
const OWN_STREAMED_KEYS = [
  'team',
  'challenges',
  'board',
  'board-challenges',
  'graph',
  'announcements',
  'hints',
  'messages',
  'admin-messages',
].map((name) => [OWN_KEY, name])

/** Every browser learns of a change in the same moment; their reads are spread. */
const BOARD_SPREAD_MS = 5 * SECOND_MS
const CHALLENGES_SPREAD_MS = 3 * SECOND_MS
const GRAPH_EVERY_MS = MINUTE_MS

type Handlers = { readonly [N in StreamEventName]?: (data: StreamEventData<N>) => void }

/** Applies events to the query cache: in place where they carry the data, otherwise by a read. */
export function createApplier(queries: QueryClient): (event: StreamEvent) => void {
  const reads = createReads(queries)
  const readOwn = (name: string, ids: readonly string[]) => {
    for (const id of ids) void queries.invalidateQueries({ queryKey: [OWN_KEY, name, id] })
  }
  const handlers: Handlers = {
    solves: (data) => applySolves(queries, data),
    points(data) {
      // Fewer solves: a team was banned or a solve was removed, and the lists still show it.
      if (hasFewerSolves(queries, data)) reads.soon('latest-solves', CHALLENGES_SPREAD_MS)
      applyPoints(queries, data)
    },
    leaderboard() {
      reads.soon('board', BOARD_SPREAD_MS)
      reads.soon('graph', GRAPH_EVERY_MS)
    },
    challenges({ withdrawn }) {
      queries.setQueryData(challengesQuery().queryKey, (list) =>
        list?.filter(({ id }) => !withdrawn.includes(id)),
      )
      // An empty event: something changed that the receiver may not know of, or may not know of any more.
      reads.soon('challenges', CHALLENGES_SPREAD_MS)
      reads.soon('board-challenges', CHALLENGES_SPREAD_MS)
      // A moved release moves hints.
      reads.soon('hints', CHALLENGES_SPREAD_MS)
    },
    hint(data) {
      applyHints(queries, data)
      readOwn(
        'hints',
        data.challenges.map(({ id }) => id),
      )
      // Withdrawn hints stay readable for teams that bought them: the own team says which.
      if (data.challenges.some(({ hints }) => hints === 0)) reads.soon('team', CHALLENGES_SPREAD_MS)
    },
    wave: ({ next }) => void queries.setQueryData(nextWaveQuery.queryKey, next),
    phase: (data) => applyTimes(queries, data),
    hello: (data) => applyTimes(queries, data),
    team: (data) => applyTeam(queries, data),
    announcements: (data) => applyAnnouncements(queries, data),
    pages: ({ pages }) =>
      void queries.setQueryData(configQuery.queryKey, (config) => config && { ...config, pages }),
    message: ({ queue }) => {
      void queries.invalidateQueries({ queryKey: [OWN_KEY, 'messages'] })
      if (queue) void queries.invalidateQueries({ queryKey: [OWN_KEY, 'admin-messages'] })
    },
    instance: ({ challengeIds }) => readOwn('instance', challengeIds),
    adminBot: ({ challengeIds }) => readOwn('bot', challengeIds),
    resync: () => readAll(queries),
  }
  return ({ name, data }) =>
    (handlers as Record<string, ((value: never) => void) | undefined>)[name]?.(data as never)
}

/** Reads everything again that the stream kept up to date, spread over a few seconds. */
export function readAll(queries: QueryClient): void {
  setTimeout(() => {
    for (const queryKey of [...STREAMED_KEYS, ...OWN_STREAMED_KEYS])
      void queries.invalidateQueries({ queryKey })
  }, CHALLENGES_SPREAD_MS * Math.random())
}

/** Delayed reads, at most one pending for each name. */
function createReads(queries: QueryClient) {
  const pending = new Set<string>()
  return {
    soon(name: string, spreadMs: number) {
      if (pending.has(name)) return
      pending.add(name)
      setTimeout(
        () => {
          pending.delete(name)
          void queries.invalidateQueries({ queryKey: [name] })
          void queries.invalidateQueries({ queryKey: [OWN_KEY, name] })
        },
        spreadMs * (0.1 + 0.9 * Math.random()),
      )
    },
  }
}

function applySolves(queries: QueryClient, { solves, removed }: StreamEventData<'solves'>): void {
  const { queryKey } = latestSolvesQuery(0)
  const newest = solves.toReversed()
  queries.setQueryData(queryKey, (known) => {
    if (!known) return known
    const without = (list: typeof known.solves) =>
      list.filter(
        ({ challengeId, userId }) =>
          ![...newest, ...removed].some((gone) => gone.challengeId === challengeId && gone.userId === userId),
      )
    return {
      solves: [...newest, ...without(known.solves)].slice(0, LATEST_SOLVES),
      firstBloods: [
        ...newest.filter(({ bloodIndex }) => bloodIndex === 0),
        ...without(known.firstBloods),
      ].slice(0, LATEST_BLOODS),
    }
  })
  const team = queries.getQueryData(ownTeamQuery.queryKey)
  const isOwn = [...solves, ...removed].some(({ userId }) => userId === team?.id)
  if (isOwn) {
    void queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
    // Some are only for teams that have, or have not, solved a challenge.
    void queries.invalidateQueries({ queryKey: announcementsQuery(true).queryKey })
  }
  // Which of the lists lacks an earlier solve is not known.
  if (removed.length > 0) void queries.invalidateQueries({ queryKey })
}

function applyAnnouncements(queries: QueryClient, data: StreamEventData<'announcements'>): void {
  for (const asTeam of [false, true]) {
    const { queryKey } = announcementsQuery(asTeam)
    const shown = asTeam ? data : forEveryone(data)
    queries.setQueryData(queryKey, (known) => known && mergeAnnouncements(known, shown))
    // A response that is on its way may be older than the event, and would replace what the event brought. An invalidation alone
    // does not end the first request of a list.
    if (queries.getQueryState(queryKey)?.fetchStatus === 'fetching')
      void queries
        .cancelQueries({ queryKey, exact: true })
        .then(() => queries.invalidateQueries({ queryKey, exact: true }))
  }
}

function hasFewerSolves(queries: QueryClient, { challenges }: StreamEventData<'points'>): boolean {
  const known = queries.getQueryData(challengesQuery().queryKey) ?? []
  const onBoard = queries.getQueryData(boardChallengesQuery().queryKey)?.challenges ?? {}
  const counts = new Map(known.map(({ id, solves }) => [id, solves]))
  for (const [id, { solves }] of Object.entries(onBoard)) counts.set(id, solves)
  return challenges.some(({ id, solves }) => solves < (counts.get(id) ?? 0))
}

function applyPoints(queries: QueryClient, { challenges }: StreamEventData<'points'>): void {
  const changed = new Map(challenges.map((challenge) => [challenge.id, challenge]))
  for (const bypass of [false, true]) {
    queries.setQueryData(challengesQuery({ bypass }).queryKey, (list) =>
      list?.map((challenge) => ({ ...challenge, ...changed.get(challenge.id) })),
    )
    queries.setQueryData(boardChallengesQuery({ bypass }).queryKey, (data) => {
      if (!data) return data
      const entries = Object.entries(data.challenges).map(([id, challenge]) => {
        const value = changed.get(id)
        return [id, value ? { ...challenge, points: value.points, solves: value.solves } : challenge] as const
      })
      return { challenges: Object.fromEntries(entries) }
    })
  }
}

/** The challenge list says which challenges have hints. */
function applyHints(queries: QueryClient, { challenges }: StreamEventData<'hint'>): void {
  const counts = new Map(challenges.map(({ id, hints }) => [id, hints]))
  for (const bypass of [false, true]) {
    queries.setQueryData(challengesQuery({ bypass }).queryKey, (list) =>
      list?.map((challenge) => ({ ...challenge, hints: counts.get(challenge.id) ?? challenge.hints })),
    )
  }
}

function applyTimes(queries: QueryClient, times: StreamEventData<'phase'>): void {
  const { startTime, endTime, scheduled, freezeTime } = times
  const config = queries.getQueryData(configQuery.queryKey)
  if (!config) return
  const { scheduled: _, freezeTime: known, ...rest } = config
  if (config.startTime === startTime && config.endTime === endTime && known === freezeTime) return
  learnStart(startTime)
  queries.setQueryData(configQuery.queryKey, {
    ...rest,
    startTime,
    endTime,
    ...(scheduled === undefined ? {} : { scheduled }),
    ...(freezeTime === undefined ? {} : { freezeTime }),
  })
}

function applyTeam(queries: QueryClient, standing: StreamEventData<'team'>): void {
  const { queryKey } = ownTeamQuery
  const known = queries.getQueryData(queryKey)
  if (!known) return
  if (known.banned !== standing.banned) void queries.invalidateQueries({ queryKey })
  queries.setQueryData(queryKey, { ...known, ...standing })
  queries.setQueryData(ownProfileQuery.queryKey, (profile) => profile && { ...profile, ...standing })
}
