import { goodVerifySent } from '@pennant/contract/accounts.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import { randomId } from '../../lib/uuid.ts'
import { addressKey } from '../../http/client-address.ts'
import type { AccountContext } from './deps.ts'
import { takeAll } from './limits.ts'
import { queueMail } from './mail.ts'

/**
 * Queues a sign-in link. Whether a team has the address shows neither in the answer nor in the time that it takes:
 * an unknown one gets a token of nobody and a row that goes nowhere.
 */
export async function recover(context: AccountContext, email: string, ip: string) {
  const { emailEnabled, rateLimits, buckets, world, tokens } = context
  if (!emailEnabled) return badEndpoint()
  if (rateLimits) {
    const refusal = await takeAll(buckets, [
      { key: `recover-ip:${addressKey(ip)}`, size: rateLimits.recoverIp },
      { key: `recover-email:${email}`, size: rateLimits.recoverEmail },
    ])
    if (refusal) return refusal
  }
  const team = world().findTeamByEmail(email)
  const token = tokens.issueTeam(team?.id ?? randomId())
  await queueMail(context, { kind: team ? 'recover' : 'none', to: email, token })
  return goodVerifySent()
}
