import * as replies from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { addMember, listTeamMembers, removeMember } from './members.ts'
import type { OwnWrites } from './own-writes.ts'
import { memberView } from './views.ts'

export interface MemberDeps {
  readonly db: Database
  readonly ownWrites: OwnWrites
  readonly userMembers: boolean
  readonly maxMembers: number
}

export function memberRoutes({ db, ownWrites, userMembers, maxMembers }: MemberDeps): Endpoint[] {
  return [
    on(contract.listMembers, async ({ team }) => {
      if (!userMembers) return replies.badEndpoint()
      return contract.goodMemberData((await listTeamMembers(db, team.id)).map(memberView))
    }),

    on(contract.createMember, async ({ team, body }) => {
      if (!userMembers) return replies.badEndpoint()
      const member = { teamId: team.id, email: body.email, max: maxMembers }
      const added = await ownWrites.run(team.id, () => addMember(db, member))
      switch (added) {
        case 'gone':
          return replies.badToken()
        case 'full':
          return contract.badTooManyMembers()
        case 'known':
          return replies.badKnownEmail()
        default:
          return contract.goodMemberCreate(memberView(added))
      }
    }),

    on(contract.deleteMember, async ({ team, params }) => {
      if (!userMembers) return replies.badEndpoint()
      await ownWrites.run(team.id, () => removeMember(db, team.id, params.id))
      return contract.goodMemberDelete()
    }),
  ]
}
