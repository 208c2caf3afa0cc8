import { badKnownExtrankId } from '@pennant/contract/accounts.ts'
import { badKnownEmail, badKnownName } from '@pennant/contract/replies.ts'
import type { Collision } from '../teams/collision.ts'

const refusals = { name: badKnownName, email: badKnownEmail, extrankId: badKnownExtrankId }

/** The reply to whoever wants what another team has. */
export function collisionReply<C extends Collision>(collision: C) {
  return refusals[collision]() as ReturnType<(typeof refusals)[C]>
}
