import { badEmailChangeDivision, goodEmailSet, goodVerifySent } from '@pennant/contract/accounts.ts'
import { badEndpoint, badKnownEmail, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { orCollision } from '../teams/collision.ts'
import { removeTeamEmail, setTeamEmail } from '../teams/store.ts'
import type { AccountContext } from './deps.ts'
import { takeAll } from './limits.ts'
import { queueMail } from './mail.ts'

/** The address that a team signs in with. */
export function emailRoutes(context: AccountContext): Endpoint[] {
  return [
    on(contract.setEmailV1, ({ team, body }) => setEmail(context, team.id, body.email)),
    on(contract.setEmailV2, ({ team, body }) => setEmail(context, team.id, body.email)),

    on(contract.removeEmail, async ({ team }) => {
      if (!context.emailEnabled) return badEndpoint()
      const outcome = await context.ownWrites.run(team.id, () => removeTeamEmail(context.db, team.id))
      if ('team' in outcome) return contract.goodEmailRemoved()
      switch (outcome.refused) {
        case 'gone':
          return badUnknownUser()
        case 'none':
          return contract.badEmailNoExists()
        case 'last':
          return contract.badZeroAuth()
      }
    }),
  ]
}

/** The order of checks is the contract's (participant 10.5). */
async function setEmail(context: AccountContext, id: string, email: string) {
  const { db, world, divisions, buckets, rateLimits, emailEnabled, ownWrites } = context
  const team = world().team(id)
  if (!team) return badToken()
  if (!divisions.isAllowed(email, team.division)) return badEmailChangeDivision()
  const full = ownWrites.refusal(id)
  if (full) return full
  if (rateLimits) {
    const refusal = await takeAll(buckets, [{ key: `set-email:${id}`, size: rateLimits.setEmail }])
    if (refusal) return refusal
  }
  if (emailEnabled) {
    if (world().findTeamByEmail(email)) return badKnownEmail()
    return await ownWrites.run(id, () => sendChangeLink(context, id, email))
  }
  const write = () => setTeamEmail(db, { id, email, isAllowed: divisions.isAllowed })
  const outcome = await orCollision(ownWrites.run(id, write))
  if ('collision' in outcome) return badKnownEmail()
  if ('team' in outcome) return goodEmailSet()
  return outcome.refused === 'gone' ? badUnknownUser() : badEmailChangeDivision()
}

async function sendChangeLink(context: AccountContext, teamId: string, email: string) {
  const token = await context.verifyTokens.issueEmailChange({ teamId, email })
  await queueMail(context, { kind: 'update', to: email, token })
  return goodVerifySent()
}
