import * as contract from '@pennant/contract/admin-organisers.ts'
import { createTeam, goodAdminUserCreate } from '@pennant/contract/admin-teams.ts'
import { badPerms, badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { WorldView } from '../../../world/model.ts'
import { createTeamByHand, setPermissions } from './admins.ts'
import { collisionReply } from './refusals.ts'

export interface OrganiserDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly tokens: { issueTeam(teamId: string, notBefore?: number): string }
  /** Id to label. */
  readonly divisions: Readonly<Record<string, string>>
}

const refusals = { gone: badUnknownUser, lastOwner: contract.badLastOwner, notOwner: badPerms }

export function organiserRoutes({ db, world, now, tokens, divisions }: OrganiserDeps): Endpoint[] {
  return [
    on(contract.listOrganisers, () => {
      const organisers = [...world().teams()].filter(({ perms }) => perms !== 0)
      organisers.sort((left, right) => left.name.localeCompare(right.name))
      return contract.goodOrganisers({
        organisers: organisers.map(({ id, name, email, avatarUrl, perms }) => ({
          id,
          name,
          email,
          avatarUrl,
          perms,
        })),
      })
    }),

    on(createTeam, async ({ body: { data }, team: { id: actorId }, ip }) => {
      if (!Object.hasOwn(divisions, data.division))
        return refuse('body', 'data.division', 'is not a division of this contest')
      const made = await createTeamByHand({ db, ...data, perms: 0, by: { actorId, ip } })
      // A team created by hand has no ranking-site id, so extrankId cannot collide.
      if ('collision' in made) return collisionReply(made.collision === 'email' ? 'email' : 'name')
      return goodAdminUserCreate({ id: made.id, token: tokens.issueTeam(made.id) })
    }),

    on(contract.setOrganiser, async ({ params: { id }, body: { data }, team: { id: actorId }, ip }) => {
      const outcome = await setPermissions(db, { id, perms: data.perms, now: now() }, { actorId, ip })
      if (typeof outcome === 'string') return refusals[outcome]()
      const { isChanged, tokensValidFrom } = outcome
      return contract.goodOrganiserUpdate({ token: isChanged ? tokens.issueTeam(id, tokensValidFrom) : null })
    }),
  ]
}
