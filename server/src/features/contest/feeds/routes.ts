import { badChallenge } from '@pennant/contract/replies.ts'
import { goodDynamicScores, listScores, pushScores } from '@pennant/contract/scores.ts'
import { on, onSigned, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { isPrepared } from '../../../http/response/send.ts'
import { pageCache } from '../../../http/response/page-cache.ts'
import { preparedCache } from '../../../http/response/prepared-cache.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { findScored, lastScores } from './rules.ts'
import { scoresSignature, type SignatureDeps } from './signature.ts'
import { createFeedStore, type FeedStoreDeps } from './store.ts'
import { prepareScores, withRank } from './views.ts'

export interface FeedDeps extends FeedStoreDeps, SignatureDeps {
  readonly visibility: Visibility
  /** Configured time between points of the graph. */
  readonly graphSampleMs: number
  readonly limiter: Limiter
}

/** Pages of up to a few hundred KB, including the graph. */
const PAGES = { name: 'feeds', max: 512, maxSize: 16 * 1024 * 1024 }
/** The same pages with the caller's own rank. */
const RANKED_PAGES = { name: 'ranked feeds', max: 256, maxSize: 8 * 1024 * 1024 }

/** Endpoints for scores pushed by the backends of dynamic challenges. */
export function feedRoutes(deps: FeedDeps): Endpoint[] {
  const { visibility, graphSampleMs: sampleMs, limiter } = deps
  const store = createFeedStore(deps)
  const pages = pageCache(PAGES, limiter)
  const rankedPages = preparedCache(RANKED_PAGES)
  return [
    onSigned(pushScores, scoresSignature(deps), async ({ params: { id }, body, signature, ip }) =>
      goodDynamicScores(
        await store.push({ challengeId: id, signature, scores: lastScores(body.scores), ip }),
      ),
    ),

    on(listScores, async ({ params: { id }, query: { limit, offset }, team, ip }) => {
      const { world: view } = visibility.seenBy(team)
      if (!findScored(view, id, team)) return badChallenge()
      const state = view.boardKey
      const key = `${limit} ${offset} ${id}`
      const shared = await pages.get({ state, key }, { limit, offset, ip }, () =>
        prepareScores(view, { challengeId: id, limit, offset, sampleMs }),
      )
      if (!team || !isPrepared(shared)) return shared
      const rank = view.scoresOfChallenge(id).rankOf(team.id)
      return rankedPages.get(state, `${rank} ${key}`, () => withRank(shared, rank))
    }),
  ]
}
