import {
  getGraphV1,
  getGraphV2,
  getLeaderboardChallenges,
  getLeaderboardV1,
  getLeaderboardV2,
  getLeaderboardWithGraph,
} from '@pennant/contract/leaderboard.ts'
import { badRateLimit } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { keepLatest, preparedCache } from '../../http/prepared-cache.ts'
import type { Prepared } from '../../http/prepared.ts'
import { refuse } from '../../http/validate.ts'
import type { Buckets } from '../../lib/key-value.ts'
import type { WorldView } from '../../world/model.ts'
import { boardState } from '../../world/state-names.ts'
import { addressKey } from '../../http/client-address.ts'

import { createBoardPages, prepareBoardChallenges } from './pages.ts'
import { isKnownDivision, type BoardQuery } from './rules.ts'

export interface LeaderboardDeps {
  readonly world: () => WorldView
  /** Configured divisions, id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** Configured spacing of the graph's points. */
  readonly graphSampleMs: number
  readonly buckets: Buckets
}

/** Finer samples would make lines of tens of thousands of points. */
const MIN_SAMPLE_MS = 1000
/** Per address (contract, participant 6). */
const SEARCH_BUCKET = { burst: 3, windowMs: 3000 }
/** A page of a large event has up to 300 KB, of which the site asks for quarters. */
const PAGES = { maxEntries: 1024, maxSize: 32 * 1024 * 1024 }

type Render = (world: WorldView, query: BoardQuery) => Prepared

/** The standings: the same bytes for everybody, rendered once for each state of the board. */
export function leaderboardRoutes({ world, divisions, graphSampleMs, buckets }: LeaderboardDeps): Endpoint[] {
  const pages = createBoardPages(Math.max(MIN_SAMPLE_MS, graphSampleMs))
  const cache = preparedCache(PAGES)
  const challenges = keepLatest(prepareBoardChallenges)

  function answer(name: string, render: Render, query: BoardQuery) {
    const view = world()
    const { limit, offset, division, search = '', challenge = '' } = query
    // An empty division is none, so that both find the same page.
    const key = JSON.stringify([name, limit, offset, division || '', search, challenge])
    return cache.get(boardState(view), key, () => render(view, { ...query, division: division || undefined }))
  }

  /** Refuses an unknown division; `''` means all. */
  function refusedDivision({ division }: { readonly division?: string | undefined }) {
    if (!division || isKnownDivision(divisions, division)) return null
    return refuse('query', 'division', 'no such division')
  }

  async function refusedSearch(search: string | undefined, ip: string) {
    if (search === undefined) return null
    const timeLeft = await buckets.take(`leaderboard-search:${addressKey(ip)}`, SEARCH_BUCKET)
    return timeLeft > 0 ? badRateLimit({ timeLeft }) : null
  }

  return [
    on(getLeaderboardV1, ({ query }) => refusedDivision(query) ?? answer('v1', pages.pageV1, query)),

    on(getLeaderboardV2, async ({ query, ip }) => {
      const refused = refusedDivision(query) ?? (await refusedSearch(query.search, ip))
      return refused ?? answer('v2', pages.pageV2, query)
    }),

    on(getLeaderboardWithGraph, async ({ query, ip }) => {
      const refused = refusedDivision(query) ?? (await refusedSearch(query.search, ip))
      return refused ?? answer('with-graph', pages.pageWithGraph, query)
    }),

    on(getGraphV1, ({ query }) => {
      return refusedDivision(query) ?? answer('graph', pages.graph, { ...query, offset: 0 })
    }),

    on(getGraphV2, ({ query }) => refusedDivision(query) ?? answer('graph', pages.graph, query)),

    on(getLeaderboardChallenges, () => {
      const view = world()
      return challenges(boardState(view), view)
    }),
  ]
}
