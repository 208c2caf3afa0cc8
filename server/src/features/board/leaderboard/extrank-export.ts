import { createHash, timingSafeEqual } from 'node:crypto'
import {
  getExtrankLeaderboard,
  getStandingsFeed,
  type ExtrankStandings,
} from '@pennant/contract/extrank-export.ts'
import { badEndpoint, badToken } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import { on, type Endpoint } from '../../../http/handler.ts'
import { memoizeLatest } from '../../../http/response/prepared-cache.ts'
import { preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import { maximalFeed, minimalFeed, type FeedSource } from './standings-feed.ts'
import type { WorldView } from '../../../world/model.ts'

export interface ExtrankExportDeps {
  /** As participants see it. */
  readonly world: () => WorldView
  /** Everything: another object while the standings are frozen. */
  readonly live: () => WorldView
  readonly now: () => number
  /** Null without `standingsFeed` in the configuration. */
  readonly feedKey: string | null
}

/** A team has one entry per solve in the maximal form: megabytes for thousands of teams. */
const MAXIMAL_FORM_MS = 15_000

/** The standings in the ranking site's format, without the response envelope. */
export function extrankExportRoutes({ world, live, now, feedKey }: ExtrankExportDeps): Endpoint[] {
  const standings = memoizeLatest(prepareStandings)
  const minimal = memoizeLatest((source: FeedSource) => preparedJson(minimalFeed(source)))
  // Callers that come meanwhile wait for the same bytes.
  const maximal = memoizeLatest(maximalFeed)
  const expected = feedKey === null ? null : sha256(feedKey)
  return [
    on(getStandingsFeed, ({ query: { key, form = 'minimal' } }) => {
      if (!expected) return badEndpoint()
      if (!timingSafeEqual(sha256(key), expected)) return badToken()
      const [view, at] = [world(), now()]
      const phase = at < view.startTime ? 'before' : at < view.endTime ? 'live' : 'after'
      const isFrozen = view !== live()
      const source = { world: view, now: at, isFrozen }
      if (form === 'minimal') return minimal(`${phase} ${isFrozen} ${view.boardKey}`, source)
      const version = phase === 'live' ? Math.floor(at / MAXIMAL_FORM_MS) : view.boardKey
      return maximal(`${phase} ${isFrozen} ${version}`, source)
    }),

    on(getExtrankLeaderboard, () => {
      const view = world()
      return standings(view.boardKey, view)
    }),
  ]
}

function prepareStandings(world: WorldView): Prepared {
  const ids = world.ranked({ offset: 0, limit: world.rankedCount() })
  const body: z.input<typeof ExtrankStandings> = {
    standings: ids.map((id, index) => ({
      pos: index + 1,
      team: world.team(id)?.name ?? '',
      score: world.standing(id).score,
    })),
  }
  return preparedJson(body)
}

function preparedJson(body: object): Prepared {
  return preparedBytes(Buffer.from(JSON.stringify(body)))
}

/** Keys of different lengths are compared in the same time. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
