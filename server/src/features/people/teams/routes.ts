import * as replies from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { refuse } from '../../../http/request/validate.ts'
import { visibleToAll } from '../../contest/challenges/visible.ts'
import { isIn, type Viewer } from '../../contest/visibility/rules.ts'
import { askedTracks, assistedMark, refusedTracks } from '../../contest/visibility/tracks.ts'
import type { Seen } from '../../contest/visibility/visibility.ts'
import { orCollision } from './collision.ts'
import { memberRoutes } from './member-routes.ts'
import { ownFormV1, ownFormV2, ownProfile, type OwnProfileDeps } from './own-profile.ts'
import { ownResults } from './own-results.ts'
import { recordOf } from './profile.ts'
import type { OwnWrites } from './own-writes.ts'
import { changesAnything, patchTeam, type OwnTeam, type ProfilePatch } from './store.ts'
import * as views from './views.ts'

export interface TeamDeps extends OwnProfileDeps {
  readonly db: Database
  readonly limiter: Limiter
  readonly ownWrites: OwnWrites
  readonly now: () => number
  /** Whether teams can maintain a list of members. */
  readonly userMembers: boolean
  readonly maxMembers: number
}

export function teamRoutes(deps: TeamDeps): Endpoint[] {
  return [
    on(contract.readProfileV1, ({ params, viewer }) => {
      const found = findPublic(deps, params.id, deps.visibility.seenBy(viewer))
      if (!found) return replies.badUnknownUser()
      return contract.goodUserDataV1(views.profileV1(found.team, found.record))
    }),

    on(contract.readProfileV2, ({ params, query: { track }, viewer }) => {
      const refused = refusedTracks(deps.world(), track)
      if (refused) return refused
      const seen = deps.visibility.seenBy(viewer, askedTracks(deps.world(), track))
      const found = findPublic(deps, params.id, seen)
      return found ? contract.goodUserDataV2(markedProfile(deps, viewer, found)) : replies.badUnknownUser()
    }),

    on(contract.readOwnProfileV1, ownProfile(deps, ownFormV1)),

    on(contract.readOwnProfileV2, ownProfile(deps, ownFormV2)),

    on(contract.readOwnResults, ownResults(deps)),

    on(contract.updateProfileV1, async ({ team, body }) => {
      const outcome = await updateProfile(deps, team.id, body)
      if (outcome === 'ended') return refuse('body', 'division', 'is fixed after the end')
      return 'reply' in outcome ? outcome : contract.goodUserUpdateV1({ user: views.updatedV1(outcome) })
    }),

    on(contract.updateProfileV2, async ({ team, body }) => {
      const outcome = await updateProfile(deps, team.id, body)
      if (outcome === 'ended') return contract.badDivisionChangeEnded()
      return 'reply' in outcome ? outcome : contract.goodUserUpdateV2({ user: views.updatedV2(outcome) })
    }),

    ...memberRoutes(deps),
  ]
}

/** A banned team has no public profile. */
function findPublic({ score }: TeamDeps, id: string, seen: Seen) {
  const { world } = visibleToAll(seen.world)
  const team = world.team(id)
  // The scoreboard may show the name of a team whose profile is closed.
  return team && !team.banned && isIn(seen.extent.profiles, team.division)
    ? { world, team, record: recordOf({ world, score }, team) }
    : null
}

/** With what the caller asked for about tracks. */
function markedProfile(deps: TeamDeps, viewer: Viewer, { world, team, record }: Found) {
  const profile = views.profileV2(team, record)
  const track = world.askedTracks === null ? null : world.trackOf(team.id)
  if (track === null) return profile
  const { globalRank } = deps.visibility.seenBy(viewer, [track]).world.standing(team.id)
  return {
    ...profile,
    solves: record.solves.map((solve) => ({ ...views.solveV2(solve), ...assistedMark(world, solve) })),
    track,
    trackPlace: globalRank,
    ...(team.agent && { agent: { operator: team.agent.operator, model: team.agent.model } }),
  }
}

type Found = NonNullable<ReturnType<typeof findPublic>>

/** The checks run in the order of docs/reference/teams.md#changing-the-profile */
async function updateProfile(deps: TeamDeps, id: string, patch: ProfilePatch) {
  const { db, world, limiter, now, divisions, ownWrites } = deps
  const team = world().team(id)
  if (!team) return replies.badToken()
  const { name, division } = patch
  if (division !== undefined && !divisions.isAllowed(team.email, division)) {
    return contract.badDivisionNotAllowed()
  }
  if (name !== undefined) {
    const limited = await limiter.take('profileNames', id)
    if (limited) return limited
  }
  if (division !== undefined && division !== team.division && now() >= world().endTime) return 'ended'
  if (!changesAnything(team, patch)) return team satisfies OwnTeam
  const refusal = ownWrites.refusal(id) ?? (await limiter.take('accountChanges', id))
  if (refusal) return refusal
  const write = () => patchTeam(db, { id, patch, isAllowed: divisions.isAllowed })
  const outcome = await orCollision(ownWrites.run(id, write))
  if ('collision' in outcome) return replies.badKnownName()
  if ('team' in outcome) return outcome.team satisfies OwnTeam
  return outcome.refused === 'gone' ? replies.badToken() : contract.badDivisionNotAllowed()
}
