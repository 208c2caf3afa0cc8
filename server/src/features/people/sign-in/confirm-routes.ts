import { badPasskeyResponse, goodPasskeyOptions } from '@pennant/contract/passkeys.ts'
import { badEndpoint, badSecondFactor, badToken } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/second-factor.ts'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import { on, type Endpoint, type PersonActor } from '../../../http/handler.ts'
import { hasSecondFactor } from '../persons/permissions.ts'
import type { SignInContext } from './deps.ts'
import { listPasskeys } from './passkey-store.ts'
import { provenPerson, relyingPartyOf, requestOptions } from './passkeys.ts'
import { addMethod, isDemandedOf, renewCodes, takeCode } from './second-factor.ts'

/** A second factor for the session that is running. */
export function confirmRoutes(context: SignInContext): Endpoint[] {
  const { db } = context
  const rpId = context.hasPeople ? relyingPartyOf(context.origin) : null
  return [
    on(contract.startConfirmation, async ({ person: { id: personId } }) => {
      if (rpId === null) return badEndpoint()
      if ((await listPasskeys(db, personId)).length === 0) return contract.badNoPasskey()
      const options = await requestOptions({ ...context, rpId }, { use: 'confirm', personId })
      return goodPasskeyOptions({ options: { ...options } })
    }),

    on(contract.confirmWithPasskey, async ({ person, body: { response } }) => {
      if (rpId === null) return badEndpoint()
      const purpose = { use: 'confirm', personId: person.id } as const
      const proven = await provenPerson({ ...context, rpId }, response, purpose)
      return proven === null ? badPasskeyResponse() : await raised(context, person, 'passkey')
    }),

    on(contract.confirmWithCode, async ({ person, team, ip, body: { code } }) => {
      const isOrganiser = isDemandedOf(context, person.id)
      const isTaken = await db.change(async (tx) => {
        if (!(await takeCode(tx, person.id, code))) return false
        const action = { action: 'person.recovery-code', target: person.id }
        if (team && isOrganiser) await tx.query(recordAdminAction({ actorId: team.id, ip, ...action }))
        return true
      })
      if (!isTaken) return contract.badRecoveryCode()
      return await raised(context, person, 'recovery-code')
    }),

    on(contract.renewRecoveryCodes, async ({ person: { id, methods } }) => {
      if (!hasSecondFactor(methods)) return badSecondFactor()
      const codes = await db.change((tx) => renewCodes(tx, id, contract.RECOVERY_CODES))
      return contract.goodRecoveryCodes({ codes })
    }),
  ]
}

/** The same session with another token, which says more of it. */
async function raised(
  { db, tokens }: SignInContext,
  { id: personId, sessionId }: PersonActor,
  method: string,
) {
  const session = await addMethod(db, sessionId, method)
  if (!session) return badToken()
  const { methods, createdAt, expiresAt } = session
  const authToken = tokens.issuePerson({ personId, sessionId, methods, expiresAt }, createdAt)
  return contract.goodConfirmation({ authToken, expiresAt })
}
