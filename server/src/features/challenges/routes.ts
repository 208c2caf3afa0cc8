import {
  goodSolvesV1,
  goodSolvesV2,
  listChallengesV1,
  listChallengesV2,
  listSolvesV1,
  listSolvesV2,
} from '@pennant/contract/challenges.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { keepLatest, preparedCache } from '../../http/prepared-cache.ts'
import { etagOf, prepare, preparedBytes, type Prepared } from '../../http/prepared.ts'
import type { WorldView } from '../../world/model.ts'
import { boardState } from '../../world/state-names.ts'
import { personalList, prepareListV1, prepareListV2 } from './list.ts'
import { findPublicChallenge } from './rules.ts'

import { solveV1, solveV2, type Abilities } from './views.ts'

export interface ChallengeDeps extends Abilities {
  readonly world: () => WorldView
}

/** Lists of about 90 KB: enough for the teams that reload at the same moment. */
const PERSONAL_LISTS = { maxEntries: 256, maxSize: 16 * 1024 * 1024 }
/** Pages of about 30 KB. */
const SOLVE_PAGES = { maxEntries: 1024, maxSize: 16 * 1024 * 1024 }

/** What participants read of challenges. */
export function challengeRoutes({ world, ...abilities }: ChallengeDeps): Endpoint[] {
  const sharedV1 = keepLatest(prepareListV1)
  const sharedV2 = keepLatest((source: WorldView) => prepareListV2(source, abilities))
  const personal = preparedCache(PERSONAL_LISTS)
  return [
    on(listChallengesV1, () => {
      const view = world()
      return sharedV1(boardState(view), view)
    }),

    on(listChallengesV2, ({ team }) => {
      const view = world()
      const state = boardState(view)
      const shared = sharedV2(state, view)
      if (!team) return shared.prepared
      const key = `${team.id} ${view.teamVersion(team.id)}`
      return personal.get(state, key, () => personalList(shared, view, team.id))
    }),

    ...solveRoutes(world),
  ]
}

function solveRoutes(world: ChallengeDeps['world']): Endpoint[] {
  const pages = preparedCache(SOLVE_PAGES)
  return [
    on(listSolvesV1, ({ params: { id }, query: { limit, offset } }) => {
      const view = world()
      if (!findPublicChallenge(view, id)) return badChallenge()
      return pages.get(boardState(view), `v1 ${limit} ${offset} ${id}`, () => {
        const page = view.solvesOfChallenge(id).slice(offset, limit)
        return prepare(goodSolvesV1({ solves: page.map((solve) => solveV1(view, solve)) }))
      })
    }),

    on(listSolvesV2, ({ params: { id }, query: { limit, offset }, team }) => {
      const view = world()
      if (!findPublicChallenge(view, id)) return badChallenge()
      const state = boardState(view)
      const key = `${limit} ${offset} ${id}`
      const solves = view.solvesOfChallenge(id)
      const shared = pages.get(state, `v2 ${key}`, () => {
        const page = solves.slice(offset, limit)
        return prepare(
          goodSolvesV2({ solves: page.map((solve, index) => solveV2(view, solve, offset + index)) }),
        )
      })
      if (!team) return shared
      const position = solves.positionOf(team.id)
      // Callers who have not solved it share one body too.
      return pages.get(state, `own ${position} ${key}`, () => withPosition(shared, position))
    }),
  ]
}

/** Absent for an anonymous caller, not null: clients tell "signed out" from "not solved" by it (ruling 2). */
function withPosition({ body, etag }: Prepared, position: number | null): Prepared {
  const own = `,"mySolvePosition":${position}`
  const closing = '}}'
  const start = body.subarray(0, body.length - closing.length)
  return preparedBytes(Buffer.concat([start, Buffer.from(own + closing)]), etagOf(etag + own))
}
