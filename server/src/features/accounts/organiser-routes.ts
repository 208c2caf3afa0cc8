import * as contract from '@pennant/contract/admin-organisers.ts'
import { badPerms, badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../db/database.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { setPermissions } from './admins.ts'
import type { WorldView } from '../../world/model.ts'

export interface OrganiserDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly tokens: { issueTeam(teamId: string, notBefore: number): string }
}

const refusals = { gone: badUnknownUser, lastOwner: contract.badLastOwner, notOwner: badPerms }

export function organiserRoutes({ db, world, now, tokens }: OrganiserDeps): Endpoint[] {
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

    on(contract.setOrganiser, async ({ params: { id }, body: { data }, team: { id: actorId }, ip }) => {
      const outcome = await setPermissions(db, { id, perms: data.perms, now: now() }, { actorId, ip })
      if (typeof outcome === 'string') return refusals[outcome]()
      const { isChanged, tokensValidFrom } = outcome
      return contract.goodOrganiserUpdate({ token: isChanged ? tokens.issueTeam(id, tokensValidFrom) : null })
    }),
  ]
}
