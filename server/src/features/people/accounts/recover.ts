import { goodVerifySent } from '@pennant/contract/accounts.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import { randomId } from '../../../lib/uuid.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import { isOwnTokenRefused } from '../teams/token-validity.ts'
import type { AccountContext } from './deps.ts'
import { queueMail } from './mail.ts'

/**
 * Queues a sign-in link. Neither the response nor its timing reveals whether a team has the address: an
 * unknown address gets a token for a random id and an outbox row that is never sent.
 */
export async function recover(context: AccountContext, email: string, ip: string) {
  const { emailEnabled, world, tokens, limiter } = context
  if (!emailEnabled) return badEndpoint()
  const refusal =
    (await limiter.take('recoverIp', addressKey(ip))) ?? (await limiter.take('recoverEmail', email))
  if (refusal) return refusal
  // The response to a recovery request is always the same: over the limit, the email is just not sent.
  if (await limiter.take('mailsToAddress', email)) return goodVerifySent()
  const found = world().findTeamByEmail(email)
  // The link would not sign in.
  const team = found && isOwnTokenRefused(found, context.isPersonRequired) ? undefined : found
  const token = tokens.issueTeam(team?.id ?? randomId(), team?.tokensValidFrom)
  await queueMail(context, { kind: team ? 'recover' : 'none', to: email, token })
  return goodVerifySent()
}
