import {
  goodSolvesV1,
  goodSolvesV2,
  listChallengesV1,
  listChallengesV2,
  listSolvesV1,
  listSolvesV2,
} from '@pennant/contract/challenges.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { isPrepared } from '../../../http/response/send.ts'
import { pageCache } from '../../../http/response/page-cache.ts'
import { memoizeLatest, preparedCache } from '../../../http/response/prepared-cache.ts'
import { etagOf, prepare, preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import type { WorldView } from '../../../world/model.ts'
import { createLimitedLists, personalList, prepareListV1, prepareListV2 } from './list.ts'
import { findPublicChallenge } from './rules.ts'
import { visibleTo, type Visible } from './visible.ts'

import { solveV1, solveV2, type Abilities } from './views.ts'

export interface ChallengeDeps extends Abilities {
  readonly world: () => WorldView
  /** As participants see it. `world` only adds the caller's own solves. */
  readonly shown: () => WorldView
  readonly limiter: Limiter
}

/** Lists of about 90 KB, for callers with the same open challenges. */
const LIMITED_LISTS = { name: 'limited lists', max: 256, maxSize: 16 * 1024 * 1024 }
/**
 * Lists of teams, enough for 500 that reload until the next solve. Joining one takes microseconds, but its buffer is outside
 * the heap, and V8 collects the whole heap after some dozens of MB of those.
 */
const PERSONAL_LISTS = { name: 'personal lists', max: 512, maxSize: 48 * 1024 * 1024 }
/** The same pages with the caller's position added. */
const POSITIONS = { name: 'solve positions', max: 1024, maxSize: 16 * 1024 * 1024 }
/** Pages of about 30 KB. */
const SOLVE_PAGES = { name: 'solves', max: 1024, maxSize: 16 * 1024 * 1024 }

/** The challenge endpoints for participants. */
export function challengeRoutes({ world, shown, limiter, ...abilities }: ChallengeDeps): Endpoint[] {
  const sharedV1 = memoizeLatest(prepareListV1)
  const sharedV2 = memoizeLatest((source: Visible) => prepareListV2(source, abilities))
  // Only used in contests with prerequisites.
  const limitedV1 = preparedCache(LIMITED_LISTS)
  const limitedV2 = createLimitedLists((source) => prepareListV2(source, abilities))
  const personal = preparedCache(PERSONAL_LISTS)
  return [
    on(listChallengesV1, ({ team }) => {
      const visible = visibleTo(shown(), team)
      const { boardKey } = visible.world
      if (visible.key === '') return sharedV1(boardKey, visible.world)
      return limitedV1.get(boardKey, visible.key, () => prepareListV1(visible.world))
    }),

    on(listChallengesV2, ({ team }) => {
      const visible = visibleTo(shown(), team)
      const view = visible.world
      const state = view.boardKey
      const list = () => (visible.key === '' ? sharedV2(state, visible) : limitedV2.of(state, visible))
      if (!team) return list().prepared
      const live = world()
      const key = `${team.id} ${view.teamVersion(team.id)} ${live.teamVersion(team.id)}`
      return personal.get(state, key, () => personalList(list(), { shown: view, live }, team.id))
    }),

    ...solveRoutes({ shown, limiter }),
  ]
}

function solveRoutes({ shown, limiter }: Pick<ChallengeDeps, 'shown' | 'limiter'>): Endpoint[] {
  const pages = pageCache(SOLVE_PAGES, limiter)
  // Separate cache: there are as many positions as teams, so they must not evict the pages.
  const positions = preparedCache(POSITIONS)
  return [
    on(listSolvesV1, ({ params: { id }, query: { limit, offset }, team, ip }) => {
      const view = shown()
      if (!findPublicChallenge(view, id, team)) return badChallenge()
      const key = `v1 ${limit} ${offset} ${id}`
      return pages.get({ state: view.boardKey, key }, { limit, offset, ip }, () => {
        const page = view.solvesOfChallenge(id).slice(offset, limit)
        return prepare(goodSolvesV1({ solves: page.map((solve) => solveV1(view, solve)) }))
      })
    }),

    on(listSolvesV2, ({ params: { id }, query: { limit, offset }, team, ip }) => {
      const view = shown()
      if (!findPublicChallenge(view, id, team)) return badChallenge()
      const state = view.boardKey
      const key = `v2 ${limit} ${offset} ${id}`
      const solves = view.solvesOfChallenge(id)
      const shared = pages.get({ state, key }, { limit, offset, ip }, () => {
        const page = solves.slice(offset, limit)
        return prepare(
          goodSolvesV2({ solves: page.map((solve, index) => solveV2(view, solve, offset + index)) }),
        )
      })
      if (!team) return shared
      const withOwn = (page: Awaited<typeof shared>) => {
        if (!isPrepared(page)) return page
        const position = solves.positionOf(team.id)
        // Callers who have not solved the challenge share one body too.
        return positions.get(state, `${position} ${key}`, () => withPosition(page, position))
      }
      return shared instanceof Promise ? shared.then(withOwn) : withOwn(shared)
    }),
  ]
}

/**
 * Absent, not null, for an anonymous caller, so that clients can distinguish "signed out" from "not solved":
 * docs/reference/challenges.md#the-callers-solve-position
 */
function withPosition({ body, etag }: Prepared, position: number | null): Prepared {
  const own = `,"mySolvePosition":${position}`
  const closing = '}}'
  const start = body.subarray(0, body.length - closing.length)
  return preparedBytes(Buffer.concat([start, Buffer.from(own + closing)]), etagOf(etag + own))
}
