import {
  getLatestSolves,
  getGraphV1,
  getGraphV2,
  getLeaderboardChallenges,
  getLeaderboardV1,
  getLeaderboardV2,
  getLeaderboardWithGraph,
  getLiveGraph,
  getLiveLeaderboard,
} from '@pennant/contract/leaderboard.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { pageCache } from '../../../http/response/page-cache.ts'
import { memoizeLatest, type CacheBounds } from '../../../http/response/prepared-cache.ts'
import type { Prepared } from '../../../http/response/prepared.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { WorldView } from '../../../world/model.ts'
import { addressKey } from '../../../http/request/client-address.ts'

import { createBoardPages, prepareBoardChallenges, prepareLatestSolves } from './pages.ts'
import { isKnownDivision, type BoardQuery } from './rules.ts'
import { visibleToAll } from '../../contest/challenges/visible.ts'
import { WHOLE, withTracks, type Viewer } from '../../contest/visibility/rules.ts'
import { seenIn } from '../../contest/visibility/seen.ts'
import { askedTracks, isRareSet, refusedTracks } from '../../contest/visibility/tracks.ts'
import { perExtent, type Visibility } from '../../contest/visibility/visibility.ts'
import { createTrends } from './trends.ts'

export interface LeaderboardDeps {
  /** Everything, for organisers. */
  readonly world: () => WorldView
  readonly visibility: Visibility
  /** Configured divisions, id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** Configured time between points of the graph. */
  readonly graphSampleMs: number
  readonly limiter: Limiter
  /** The clock. */
  readonly now: () => number
}

/** Limits the number of points per line, which would otherwise reach tens of thousands. */
const MIN_SAMPLE_MS = 1000
/** A page of a large event has up to 300 KB. The site requests pages of a quarter of that. */
const PAGES = { name: 'leaderboard', max: 1024, maxSize: 32 * 1024 * 1024 }
/** Of callers who do not see all. */
const LIMITED_PAGES = { name: 'limited leaderboard', max: 256, maxSize: 4 * 1024 * 1024 }
/** Organisers are few. */
const LIVE_PAGES = { name: 'live leaderboard', max: 64, maxSize: 4 * 1024 * 1024 }

type Render = (world: WorldView, query: BoardQuery) => Prepared

/** One of the leaderboard variants, as requested by one caller. */
interface Board {
  readonly view: WorldView
  readonly name: string
  readonly render: Render
  readonly ip: string
}

/**
 * The leaderboard endpoints. All callers share the same bytes, rendered once per state of the leaderboard. Organisers have two
 * more, which show the standings as they are while participants see frozen ones.
 */
export function leaderboardRoutes(deps: LeaderboardDeps): Endpoint[] {
  return [...publicRoutes(deps), ...liveRoutes(deps)]
}

function publicRoutes(deps: LeaderboardDeps): Endpoint[] {
  const { visibility } = deps
  const boardsOf = perExtent((key) => ({
    ...createBoards(deps, key === '' ? PAGES : LIMITED_PAGES),
    challenges: memoizeLatest(prepareBoardChallenges),
    latest: memoizeLatest(prepareLatestSolves),
  }))
  const boardsFor = (viewer: Viewer, track?: string) => {
    const tracks = askedTracks(deps.world(), track)
    const { world: view, extent } = visibility.seenBy(viewer, tracks)
    return { view, ...boardsOf(extent) }
  }
  /** What all callers with the same extent share. */
  const shared =
    (render: (board: ReturnType<typeof boardsFor>) => Prepared) =>
    ({ query, ip, viewer }: { query: { track?: string | undefined }; ip: string; viewer: Viewer }) => {
      const board = boardsFor(viewer, query.track)
      const refused = refusedTracks(board.view, query.track)
      if (refused) return refused
      if (!isRareSet(board.view)) return render(board)
      return deps.limiter.take('pageRenders', addressKey(ip)).then((limited) => limited ?? render(board))
    }
  return [
    on(getLeaderboardV1, ({ query, ip, viewer }) => {
      const { view, pages, respond, refusedDivision } = boardsFor(viewer)
      return refusedDivision(query) ?? respond({ view, name: 'v1', render: pages.pageV1, ip }, query)
    }),

    on(getLeaderboardV2, ({ query, ip, viewer }) => {
      const { view, pages, respond, respondWithTrends, unlessRefused } = boardsFor(viewer, query.track)
      return unlessRefused(query, ip, () => {
        if (query.with === undefined) return respond({ view, name: 'v2', render: pages.pageV2, ip }, query)
        return respondWithTrends(view, query, ip)
      })
    }),

    on(getLeaderboardWithGraph, ({ query, ip, viewer }) => {
      const { view, pages, respond, unlessRefused } = boardsFor(viewer, query.track)
      const board = { view, name: 'with-graph', render: pages.pageWithGraph, ip }
      return unlessRefused(query, ip, () => respond(board, query))
    }),

    on(getGraphV1, ({ query, ip, viewer }) => {
      const { view, pages, respond, refusedDivision } = boardsFor(viewer)
      const board = { view, name: 'graph-v1', render: pages.graphV1, ip }
      return refusedDivision(query) ?? respond(board, { ...query, offset: 0 })
    }),

    on(getGraphV2, ({ query, ip, viewer }) => {
      const { view, pages, respond, refusedFilter } = boardsFor(viewer, query.track)
      const { sample = 'usual', ...rest } = query
      const render = sample === 'fine' ? pages.fineGraph : pages.graphV2
      return refusedFilter(query) ?? respond({ view, name: `graph-v2 ${sample}`, render, ip }, rest)
    }),

    on(
      getLeaderboardChallenges,
      shared(({ view, challenges }) => {
        const { world } = visibleToAll(view)
        return challenges(world.boardKey, world)
      }),
    ),

    on(
      getLatestSolves,
      shared(({ view, latest }) => {
        const { world } = visibleToAll(view)
        return latest(world.boardKey, world)
      }),
    ),
  ]
}

function liveRoutes(deps: LeaderboardDeps): Endpoint[] {
  const boardsOf = perExtent(() => createBoards(deps, LIVE_PAGES))
  const boardsFor = (track: string | undefined) => {
    const extent = withTracks(WHOLE, askedTracks(deps.world(), track) ?? null)
    return { view: seenIn(deps.world(), extent), ...boardsOf(extent) }
  }
  return [
    on(getLiveLeaderboard, ({ query, ip }) => {
      const { view, respondWithTrends, unlessRefused } = boardsFor(query.track)
      return unlessRefused(query, ip, () => respondWithTrends(view, query, ip))
    }),

    on(getLiveGraph, ({ query, ip }) => {
      const { view, pages, respond, refusedFilter } = boardsFor(query.track)
      const { sample = 'usual', ...rest } = query
      const render = sample === 'fine' ? pages.fineGraph : pages.graphV2
      return refusedFilter(query) ?? respond({ view, name: `graph-v2 ${sample}`, render, ip }, rest)
    }),
  ]
}

/** Pages of one view of the standings. Views have separate caches, so neither evicts the other's pages. */
function createBoards(deps: LeaderboardDeps, bounds: CacheBounds) {
  const { divisions, limiter } = deps
  const sampleMs = Math.max(MIN_SAMPLE_MS, deps.graphSampleMs)
  const trends = createTrends(deps.now, sampleMs)
  const pages = createBoardPages(sampleMs, trends)
  const cache = pageCache(bounds, limiter)

  function respond({ view: seen, name, render, ip }: Board, query: BoardQuery) {
    const { world: view } = visibleToAll(seen)
    const { limit, offset, division, search = '', challenge = '' } = query
    const isFiltered = search !== '' || challenge !== '' || isRareSet(seen)
    // An empty division means none, so both share one cache entry.
    const page = `${name} ${limit} ${offset} ${division || ''}`
    const key = isFiltered ? JSON.stringify([page, search, challenge]) : page
    return cache.get({ state: view.boardKey, key }, { limit, offset, isFiltered, ip }, () =>
      render(view, { ...query, division: division || undefined }),
    )
  }

  /** Rejects an unknown division; `''` means all. */
  function refusedDivision({ division }: { readonly division?: string | undefined }) {
    if (!division || isKnownDivision(divisions, division)) return null
    return refuse('query', 'division', 'no such division')
  }

  const refusedFilter = (query: Pick<BoardQuery, 'division' | 'track'>) =>
    refusedDivision(query) ?? refusedTracks(deps.world(), query.track)

  return {
    pages,
    respond,
    respondWithTrends: (view: WorldView, query: BoardQuery, ip: string) =>
      respond({ view, name: `v2-trend ${trends.keyOf(view)}`, render: pages.pageWithTrends, ip }, query),
    refusedDivision,
    refusedFilter,

    /** Responds unless the division or track is unknown or the client searches too often. */
    unlessRefused(query: BoardQuery, ip: string, answer: () => ReturnType<typeof respond>) {
      const refused = refusedFilter(query)
      if (refused) return refused
      if (query.search === undefined) return answer()
      return limiter.take('leaderboardSearches', addressKey(ip)).then((limited) => limited ?? answer())
    },
  }
}
