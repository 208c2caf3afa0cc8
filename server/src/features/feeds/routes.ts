import { badChallenge } from '@pennant/contract/replies.ts'
import { goodDynamicScores, listScores, pushScores } from '@pennant/contract/scores.ts'
import { on, onSigned, type Endpoint } from '../../http/handler.ts'
import { preparedCache } from '../../http/prepared-cache.ts'
import { boardState } from '../../world/state-names.ts'
import { findScored, lastScores } from './rules.ts'
import { scoresSignature, type SignatureDeps } from './signature.ts'
import { createFeedStore, type FeedStoreDeps } from './store.ts'
import { prepareScores, withPlace } from './views.ts'

export interface FeedDeps extends FeedStoreDeps, SignatureDeps {
  /** Configured spacing of the graph's points. */
  readonly graphSampleMs: number
}

/** Pages of up to some hundred KB, graph included. */
const PAGES = { maxEntries: 512, maxSize: 16 * 1024 * 1024 }

/** Scores that the backends of dynamic challenges push. */
export function feedRoutes(deps: FeedDeps): Endpoint[] {
  const { world, graphSampleMs: sampleMs } = deps
  const store = createFeedStore(deps)
  const pages = preparedCache(PAGES)
  return [
    onSigned(pushScores, scoresSignature(deps), async ({ params: { id }, body, signature }) =>
      goodDynamicScores(await store.push({ challengeId: id, signature, scores: lastScores(body.scores) })),
    ),

    on(listScores, ({ params: { id }, query: { limit, offset }, team }) => {
      const view = world()
      if (!findScored(view, id)) return badChallenge()
      const state = boardState(view)
      const key = `${limit} ${offset} ${id}`
      const shared = pages.get(state, key, () =>
        prepareScores(view, { challengeId: id, limit, offset, sampleMs }),
      )
      if (!team) return shared
      const place = view.scoresOfChallenge(id).placeOf(team.id)
      return pages.get(state, `own ${place} ${key}`, () => withPlace(shared, place))
    }),
  ]
}
