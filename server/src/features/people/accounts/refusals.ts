import { badKnownExtrankId } from '@pennant/contract/accounts.ts'
import { badKnownEmail, badKnownName } from '@pennant/contract/replies.ts'
import type { Collision } from '../teams/collision.ts'

const refusals = { name: badKnownName, email: badKnownEmail, extrankId: badKnownExtrankId }

/** The response when a name, address or ranking-site id is taken. */
export function collisionReply<C extends Collision>(collision: C) {
  return refusals[collision]() as ReturnType<(typeof refusals)[C]>
}
