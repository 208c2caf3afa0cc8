import * as contract from '@pennant/contract/admin-teams.ts'
import { badKnownName, badUnknownUser } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { WorldView } from '../../../world/model.ts'
import { pageOfTeams, type TeamListFilter, type TeamListQuery } from './admin-list.ts'
import * as store from './admin-store.ts'
import { adminTeamDetail, adminTeamView } from './admin-views.ts'
import { refusedTracks } from '../../contest/visibility/tracks.ts'
import { orCollision } from './collision.ts'
import { trackView } from '../tracks/rules.ts'

export interface AdminTeamDeps {
  readonly db: Database
  readonly world: () => WorldView
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly now: () => number
  readonly tokens: { issueTeam(teamId: string, notBefore: number): string }
  /** Id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** Whether a team passes the filters by answers and eligibility; undefined without such filters. */
  readonly fieldFilter: (filter: FieldFilter) => TeamListFilter['passes']
}

type FieldFilter = Pick<z.output<typeof contract.TeamListFilter>, 'fields' | 'eligibility'>

const refusals = { gone: badUnknownUser, privileged: contract.badUserPrivileged }

export function adminTeamRoutes(deps: AdminTeamDeps): Endpoint[] {
  const { db, world, now, tokens, divisions } = deps
  return [
    on(contract.listTeams, ({ query }) => listed(world(), query)),
    on(contract.filterTeams, ({ query, body }) =>
      listed(world(), query, { ...body, passes: deps.fieldFilter(body) }),
    ),

    on(contract.readTeam, async ({ params: { id }, query: { track } }) => {
      const refused = refusedTracks(world(), track)
      if (refused) return refused
      // The team may have registered in another process a moment ago.
      if (!world().team(id)) await deps.caughtUp()
      const team = world().team(id)
      if (!team) return badUnknownUser()
      const detail = adminTeamDetail(world(), team)
      return contract.goodAdminUser({ ...detail, ...(track && trackView(world(), team)) })
    }),

    on(contract.updateTeam, async ({ params: { id }, body: { data }, team: { id: actorId }, ip }) => {
      if (data.division !== undefined && !Object.hasOwn(divisions, data.division))
        return refuse('body', 'data.division', 'is not a division of this contest')
      const update = store.updateTeamAsAdmin(db, { id, patch: data }, { actorId, ip })
      const outcome = await orCollision(update)
      if (typeof outcome === 'object') return badKnownName()
      return outcome === 'done' ? contract.goodAdminUserUpdate() : refusals[outcome]()
    }),

    on(contract.deleteTeam, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const outcome = await store.removeTeam(db, id, { actorId, ip })
      return outcome === 'done' ? contract.goodAdminUserDelete() : refusals[outcome]()
    }),

    on(contract.createTeamToken, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const outcome = await store.recordTokenAccess(db, id, { actorId, ip })
      if (typeof outcome === 'string') return refusals[outcome]()
      return contract.goodCreateUserToken({ token: tokens.issueTeam(id, outcome.tokensValidFrom) })
    }),

    on(contract.signOutTeam, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const outcome = await store.signOutTeam(db, { id, now: now() }, { actorId, ip })
      return outcome === 'done' ? contract.goodAdminUserSignOut() : refusals[outcome]()
    }),

    on(contract.deleteTeamSolves, async ({ params: { userId }, team: { id: actorId }, ip }) => {
      await store.removeSolvesOfTeam(db, userId, { actorId, ip })
      return contract.goodAllChallengeSolvesDelete()
    }),
  ]
}

function listed(world: WorldView, query: TeamListQuery, filter?: TeamListFilter) {
  const { total, teams } = pageOfTeams(world, query, filter)
  return contract.goodAdminUsers({ total, users: teams.map((team) => adminTeamView(world, team)) })
}
