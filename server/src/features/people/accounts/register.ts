import * as contract from '@pennant/contract/accounts.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import { randomId } from '../../../lib/uuid.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import type { AccountContext } from './deps.ts'
import { wakeOutbox } from './mail.ts'
import { collisionReply } from './refusals.ts'

interface Registering {
  readonly email?: string | undefined
  readonly name: string
  readonly extrankToken?: string | undefined
}

/** For both versions. The checks run in the order of docs/reference/accounts.md#registration */
export async function register(context: AccountContext, body: Registering, ip: string) {
  const { registrationsEnabled, extrankEnabled, emailEnabled, divisions } = context
  const { email } = body
  if (!registrationsEnabled) return contract.badRegistrationsDisabled()
  if (body.extrankToken && !extrankEnabled) return badEndpoint()
  const division = divisions.pickFor(email ?? null)
  if (division === null) return contract.badCompetitionNotAllowed()
  // If email is delivered, a given address takes precedence: a ranking-site token in the request is ignored.
  return email !== undefined && emailEnabled
    ? await askForProof(context, { email, name: body.name, division, ip })
    : await createAtOnce(context, body, division)
}

interface Unproved {
  readonly email: string
  readonly name: string
  readonly division: string
  readonly ip: string
}

async function askForProof(context: AccountContext, { email, name, division, ip }: Unproved) {
  const { store, verifyTokens, now, loginTimeoutMs, hasStrictLimits, limiter } = context
  if (hasStrictLimits) {
    const known = await store.findCollision({ name, email, extrankId: null })
    if (known) return collisionReply(known)
    const refusal =
      (await limiter.take('registerIp', addressKey(ip))) ?? (await limiter.take('registerEmail', email))
    if (refusal) return refusal
  }
  const flood = await limiter.take('mailsToAddress', email)
  if (flood) return flood
  const createdAt = now()
  const id = randomId()
  const token = await verifyTokens.issueRegistration(id, createdAt)
  const expiresAt = createdAt + loginTimeoutMs
  const collision = await store.register({
    registration: { id, email, name, division, perms: 0, createdAt, expiresAt },
    mail: { kind: 'register', to: email, token },
  })
  if (collision) return collisionReply(collision)
  wakeOutbox(context)
  return contract.goodVerifySent()
}

async function createAtOnce(
  { store, tokens }: AccountContext,
  { email, name, extrankToken }: Registering,
  division: string,
) {
  const handoff = extrankToken ? tokens.open(extrankToken, ['handoff']) : undefined
  if (handoff === null) return contract.badExtrankToken()
  const id = randomId()
  const extrankId = handoff?.extrankId ?? null
  const collision = await store.createTeam({ id, name, email: email ?? null, division, perms: 0, extrankId })
  return collision ? collisionReply(collision) : { created: id }
}
