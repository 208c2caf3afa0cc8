import { badChallenge, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/tracks.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'
import type { Viewer } from '../../contest/visibility/rules.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import { choicesOf, declarationProblem, lockTimeOf } from './rules.ts'
import { declarationRefusals } from './refusals.ts'
import { declareTrack, markSolve, moveTeam } from './store.ts'

export interface TrackDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly visibility: Visibility
  readonly now: () => number
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
}

export function trackRoutes(deps: TrackDeps): Endpoint[] {
  const { db, world, visibility, now, caughtUp } = deps
  const hasTracks = () => world().settings.tracks !== undefined
  return [
    on(contract.readOwnTrack, ({ team }) => (hasTracks() ? ownTrack(deps, team) : contract.badTracks())),

    on(contract.declareTrack, async ({ team, body }) => {
      if (!hasTracks()) return contract.badTracks()
      const row = world().team(team.id)
      if (!row) return badToken()
      const isLocked = now() >= lockTimeOf(world())
      const problem = declarationProblem(choicesOf(world().settings, row, isLocked), body)
      if (problem) return declarationRefusals[problem]()
      const outcome = await declareTrack(db, { ...body, id: team.id, isLocked })
      await caughtUp()
      if (outcome === 'gone') return badToken()
      return outcome === 'done' ? ownTrack(deps, team) : declarationRefusals[outcome]()
    }),

    on(contract.markAssisted, async ({ team, params: { id }, body: { assisted } }) => {
      if (!hasTracks()) return contract.badTracks()
      if (!findPublicChallenge(visibility.seenBy(team).world, id, team)) return badChallenge()
      if (!world().hasSolved(id, team.id)) return contract.badSolve()
      const isSolved = await markSolve(db, { teamId: team.id, challengeId: id, isAssisted: assisted })
      await caughtUp()
      return isSolved ? contract.goodAssistedMark() : contract.badSolve()
    }),

    on(contract.moveTeam, async ({ params: { id }, body: { data }, team: { id: actorId }, ip }) => {
      if (!hasTracks()) return contract.badTracks()
      const outcome = await moveTeam(db, { id, ...data }, { actorId, ip })
      await caughtUp()
      if (outcome === 'gone') return badUnknownUser()
      return outcome === 'done' ? contract.goodTeamTrack() : declarationRefusals[outcome]()
    }),
  ]
}

function ownTrack({ world, visibility, now }: TrackDeps, viewer: NonNullable<Viewer>) {
  const live = world()
  const row = live.team(viewer.id)
  const track = live.trackOf(viewer.id)
  if (!row || track === null) return badToken()
  const shown = visibility.seenBy(viewer, [track]).world
  return contract.goodOwnTrack({
    track,
    declared: row.track === track,
    agent: row.agent ?? null,
    trackPlace: shown.standing(viewer.id).globalRank,
    teams: shown.rankedCount(),
    choices: choicesOf(live.settings, row, now() >= lockTimeOf(live)).map(({ id }) => id),
    assisted: live.solvesOfTeam(viewer.id).flatMap((solve) => (solve.isAssisted ? [solve.challengeId] : [])),
  })
}
