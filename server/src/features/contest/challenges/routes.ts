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
import { partOf, type Joined, type Part } from '../../../http/response/joined.ts'
import { isPrepared } from '../../../http/response/send.ts'
import { pageCache } from '../../../http/response/page-cache.ts'
import { memoizeLatest, preparedCache } from '../../../http/response/prepared-cache.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { createLimitedLists, personalList, prepareListV1, prepareListV2 } from './list.ts'
import { perExtent, type Visibility } from '../visibility/visibility.ts'
import { findPublicChallenge } from './rules.ts'
import { visibleTo, type Visible } from './visible.ts'

import { solveV1, solveV2, type Abilities } from './views.ts'

export interface ChallengeDeps extends Abilities {
  readonly world: () => WorldView
  /** `world` only adds the caller's own solves. */
  readonly visibility: Visibility
  readonly limiter: Limiter
  /** Notes that a team was sent these challenges. */
  readonly onSent?: (teamId: string, challenges: readonly Challenge[]) => void
}

/** Lists of about 90 KB, for callers with the same open challenges. */
const LIMITED_LISTS = { name: 'limited lists', max: 256, maxSize: 16 * 1024 * 1024 }
/** Pages of about 30 KB. */
const SOLVE_PAGES = { name: 'solves', max: 1024, maxSize: 16 * 1024 * 1024, statePerKey: true }

/** The challenge endpoints for participants. */
export function challengeRoutes({
  world,
  visibility,
  limiter,
  onSent,
  ...abilities
}: ChallengeDeps): Endpoint[] {
  const listsOf = perExtent(() => ({
    sharedV1: memoizeLatest(prepareListV1),
    sharedV2: memoizeLatest((source: Visible) => prepareListV2(source, abilities)),
    // Only used in contests with prerequisites.
    limitedV1: preparedCache(LIMITED_LISTS),
    limitedV2: createLimitedLists((source) => prepareListV2(source, abilities)),
  }))
  return [
    on(listChallengesV1, ({ team }) => {
      const seen = visibility.seenBy(team)
      const { sharedV1, limitedV1 } = listsOf(seen.extent)
      const visible = visibleTo(seen.world, team)
      const { boardKey } = visible.world
      if (team?.perms === 0) onSent?.(team.id, visible.world.publicChallenges())
      if (visible.key === '') return sharedV1(boardKey, visible.world)
      return limitedV1.get(boardKey, visible.key, () => prepareListV1(visible.world))
    }),

    on(listChallengesV2, ({ team }) => {
      const seen = visibility.seenBy(team)
      const { sharedV2, limitedV2 } = listsOf(seen.extent)
      const visible = visibleTo(seen.world, team)
      const view = visible.world
      if (team?.perms === 0) onSent?.(team.id, view.publicChallenges())
      const list =
        visible.key === '' ? sharedV2(view.boardKey, visible) : limitedV2.of(view.boardKey, visible)
      return team ? personalList(list, { shown: view, live: world() }, team.id) : list.prepared()
    }),

    ...solveRoutes({ visibility, limiter }),
  ]
}

function solveRoutes({ visibility, limiter }: Pick<ChallengeDeps, 'visibility' | 'limiter'>): Endpoint[] {
  const pages = pageCache(SOLVE_PAGES, limiter)
  return [
    on(listSolvesV1, ({ params: { id }, query: { limit, offset }, team, ip }) => {
      const { world: view, extent } = visibility.seenBy(team)
      if (!findPublicChallenge(view, id, team)) return badChallenge()
      const key = `v1 ${limit} ${offset} ${id}${extent.key}`
      return pages.get({ state: view.solvesKey(id), key }, { limit, offset, ip }, () => {
        const page = view.solvesOfChallenge(id).slice(offset, limit)
        return prepare(goodSolvesV1({ solves: page.map((solve) => solveV1(view, solve)) }))
      })
    }),

    on(listSolvesV2, ({ params: { id }, query: { limit, offset }, team, ip }) => {
      const { world: view, extent } = visibility.seenBy(team)
      if (!findPublicChallenge(view, id, team)) return badChallenge()
      const state = view.solvesKey(id)
      const key = `v2 ${limit} ${offset} ${id}${extent.key}`
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
        return withPosition(page, solves.positionOf(team.id))
      }
      return shared instanceof Promise ? shared.then(withOwn) : withOwn(shared)
    }),
  ]
}

/**
 * Absent, not null, for an anonymous caller, so that clients can distinguish "signed out" from "not solved":
 * docs/reference/challenges.md#the-callers-solve-position
 */
function withPosition(page: Prepared, position: number | null): Joined {
  const start = startOf(page)
  return {
    kind: 'joined',
    etag: `${page.etag.slice(0, -1)}.${position}"`,
    expectedBytes: start.body.length + POSITION_BYTES,
    write(sink) {
      sink.part(start)
      sink.text(`,"mySolvePosition":${position}${CLOSING}`)
    },
  }
}

const CLOSING = '}}'
const POSITION_BYTES = 40
const starts = new WeakMap<Prepared, Part>()

/** The page without its end. */
function startOf(page: Prepared): Part {
  const known = starts.get(page)
  if (known) return known
  const start = partOf(page.body.subarray(0, -CLOSING.length))
  starts.set(page, start)
  return start
}
