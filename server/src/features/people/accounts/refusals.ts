import * as contract from '@pennant/contract/accounts.ts'
import { badKnownEmail, badKnownName } from '@pennant/contract/replies.ts'
import type { Admission } from '../registration/admission.ts'
import type { Collision } from '../teams/collision.ts'

const refusals = { name: badKnownName, email: badKnownEmail, extrankId: contract.badKnownExtrankId }

/** The response when a name, address or ranking-site id is taken. */
export function collisionReply<C extends Collision>(collision: C) {
  return refusals[collision]() as ReturnType<(typeof refusals)[C]>
}

/** The response to a would-be team. A created team signs in, which differs by version. */
export function admissionReply(outcome: Admission) {
  if ('created' in outcome) return outcome
  return 'collision' in outcome ? collisionReply(outcome.collision) : undecidedReply(outcome)
}

/** The response to a would-be team that waits or was refused. */
export function undecidedReply(
  outcome: Extract<Admission, { readonly waiting: unknown } | { readonly refused: unknown }>,
) {
  if ('refused' in outcome)
    return outcome.refused === 'code' ? contract.badRegistrationCode() : contract.badRegistrationsFull()
  const { waitsFor, token } = outcome.waiting
  return contract.goodRegistrationPending({ waitsFor, registrationToken: token })
}
