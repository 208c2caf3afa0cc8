import * as contract from '@pennant/contract/accounts.ts'
import type { Answers } from '@pennant/contract/custom-field-values.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import { randomId } from '../../../lib/uuid.ts'
import { addressKey } from '../../../http/request/client-address.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { fieldsOf } from '../../site/custom-fields/definitions.ts'
import type { NewAnswer } from '../../site/custom-fields/store.ts'
import { isRegistrationOpen, isUnconditional } from '../../site/settings/registration-rules.ts'
import { acceptedCode, admission, isFull } from '../registration/admission.ts'
import type { Declaration } from '../tracks/rules.ts'
import type { AccountContext } from './deps.ts'
import { wakeOutbox } from './mail.ts'
import { admissionReply, collisionReply } from './refusals.ts'

interface Registering {
  readonly email?: string | undefined
  readonly name: string
  readonly extrankToken?: string | undefined
  readonly registrationCode?: string | undefined
  readonly fields?: Answers | undefined
  readonly declared?: Declaration | undefined
}

/** For both versions. The checks run in the order of docs/reference/accounts.md#registration */
export async function register(context: AccountContext, body: Registering, ip: string) {
  const { db, now, extrankEnabled, emailEnabled, divisions } = context
  const { email } = body
  const rules = context.registrationRules()
  // Then only people create teams, with their own route.
  if (context.isPersonRequired || !isRegistrationOpen(rules, now()))
    return contract.badRegistrationsDisabled()
  if (body.extrankToken && !extrankEnabled) return badEndpoint()
  const code = await acceptedCode(db, { code: body.registrationCode, rules, now: now() })
  if (code === undefined) return contract.badRegistrationCode()
  const division = code?.division ?? divisions.pickFor(email ?? null)
  if (division === null || !divisions.isAllowed(email ?? null, division))
    return contract.badCompetitionNotAllowed()
  const { declared = null } = body
  const codeId = code?.id ?? null
  const asked = fieldsOf(context.definitions(), 'team', 'registration')
  const { answers, refused } = answersTo(asked, { given: body.fields, isComplete: true, by: null })
  if (refused) return refused
  // If email is delivered, a given address takes precedence: a ranking-site token in the request is ignored.
  return email !== undefined && emailEnabled
    ? await askForProof(context, { email, name: body.name, division, codeId, fields: answers, declared, ip })
    : await createAtOnce(context, body, { division, codeId, fields: answers, declared })
}

interface Unproved {
  readonly email: string
  readonly name: string
  readonly division: string
  readonly codeId: string | null
  readonly fields: readonly NewAnswer[]
  readonly declared: Declaration | null
  readonly ip: string
}

async function askForProof(context: AccountContext, unproved: Unproved) {
  const { email, name, division, codeId, fields, declared, ip } = unproved
  const { db, store, verifyTokens, now, loginTimeoutMs, hasStrictLimits, limiter } = context
  if (await isFull(db, context.registrationRules())) return contract.badRegistrationsFull()
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
    registration: { id, email, name, division, perms: 0, codeId, fields, declared, createdAt, expiresAt },
    mail: { kind: 'register', to: email, token },
  })
  if (collision) return collisionReply(collision)
  wakeOutbox(context)
  return contract.goodVerifySent()
}

async function createAtOnce(
  { db, store, tokens, registrationRules }: AccountContext,
  { email, name, extrankToken }: Registering,
  given: Pick<Unproved, 'division' | 'codeId' | 'fields' | 'declared'>,
) {
  const handoff = extrankToken ? tokens.open(extrankToken, ['handoff']) : undefined
  if (handoff === null) return contract.badExtrankToken()
  const applicant = { name, email: email ?? null, extrankId: handoff?.extrankId ?? null, ...given }
  const rules = registrationRules()
  if (!isUnconditional(rules)) return admissionReply(await db.change((tx) => admission(tx, applicant, rules)))
  const id = randomId()
  const collision = await store.createTeam({ ...applicant, id, perms: 0 })
  return collision ? collisionReply(collision) : { created: id }
}
