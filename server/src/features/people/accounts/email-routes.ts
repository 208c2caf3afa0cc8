import { badEmailChangeDivision, goodEmailSet, goodVerifySent } from '@pennant/contract/accounts.ts'
import { badEndpoint, badKnownEmail, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import { orCollision } from '../teams/collision.ts'
import { removeTeamEmail, setTeamEmail } from '../teams/store.ts'
import type { AccountContext } from './deps.ts'
import { queueMail } from './mail.ts'
import type { EmailChange } from './verify-tokens.ts'

/** Endpoints that set or remove the address a team signs in with. */
export function emailRoutes(context: AccountContext): Endpoint[] {
  return [
    on(contract.setEmailV1, ({ team, body }) => setEmail(context, team, body.email)),
    on(contract.setEmailV2, ({ team, body }) => setEmail(context, team, body.email)),

    on(contract.removeEmail, async ({ team }) => {
      if (!context.emailEnabled) return badEndpoint()
      const change = { id: team.id, issuedAt: team.tokenIssuedAt }
      const outcome = await context.ownWrites.run(team.id, () => removeTeamEmail(context.db, change))
      if ('team' in outcome) return contract.goodEmailRemoved()
      switch (outcome.refused) {
        case 'void':
          return badToken()
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

const setRefusals = { gone: badUnknownUser, void: badToken, division: badEmailChangeDivision }

/** The checks run in the order of docs/reference/accounts.md#changing-the-email-address */
async function setEmail(context: AccountContext, { id, tokenIssuedAt }: Actor, email: string) {
  const { db, world, divisions, limiter, emailEnabled, ownWrites } = context
  const team = world().team(id)
  if (!team) return badToken()
  if (!divisions.isAllowed(email, team.division)) return badEmailChangeDivision()
  const full = ownWrites.refusal(id)
  if (full) return full
  const refusal = await limiter.take('setEmail', id)
  if (refusal) return refusal
  if (emailEnabled) {
    if (world().findTeamByEmail(email)) return badKnownEmail()
    const flood = await limiter.take('mailsToAddress', email)
    if (flood) return flood
    const issuedAt = Math.max(context.now(), team.tokensValidFrom, tokenIssuedAt)
    return await ownWrites.run(id, () => sendChangeLink(context, { teamId: id, email, issuedAt }))
  }
  const request = { id, email, issuedAt: tokenIssuedAt, isAllowed: divisions.isAllowed }
  const write = () => setTeamEmail(db, request)
  const outcome = await orCollision(ownWrites.run(id, write))
  if ('collision' in outcome) return badKnownEmail()
  if ('team' in outcome) return goodEmailSet()
  return setRefusals[outcome.refused]()
}

async function sendChangeLink(context: AccountContext, change: EmailChange) {
  const token = await context.verifyTokens.issueEmailChange(change)
  await queueMail(context, { kind: 'update', to: change.email, token })
  return goodVerifySent()
}
