import * as contract from '@pennant/contract/passkeys.ts'
import { badEndpoint, badSecondFactor } from '@pennant/contract/replies.ts'
import { badLastWay, goodWayRemoved } from '@pennant/contract/sign-in.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { visitorOf, type SignInContext } from './deps.ts'
import { deletePasskey, insertPasskey, listPasskeys, updatePasskeyName } from './passkey-store.ts'
import { createdPasskey, creationOptions, provenPerson, relyingPartyOf, requestOptions } from './passkeys.ts'
import { mustConfirm } from './second-factor.ts'
import { signIn } from './session.ts'
import { findAccount } from './store.ts'
import { isSpare } from './ways.ts'

export function passkeyRoutes(context: SignInContext): Endpoint[] {
  const rpId = context.hasPeople ? relyingPartyOf(context.origin) : null
  return [...ownPasskeyRoutes(context, rpId), ...signInPasskeyRoutes(context, rpId)]
}

function ownPasskeyRoutes(context: SignInContext, rpId: string | null): Endpoint[] {
  const { db } = context
  const max = contract.passkeyLimits.stored
  return [
    on(contract.startPasskey, async ({ person }) => {
      if (rpId === null) return badEndpoint()
      if (await mustConfirm(context, person)) return badSecondFactor()
      if ((await listPasskeys(db, person.id)).length >= max) return contract.badPasskeyCount({ max })
      return contract.goodPasskeyOptions({
        options: { ...(await creationOptions({ ...context, rpId }, person)) },
      })
    }),

    on(contract.addPasskey, async ({ person, body: { name, response } }) => {
      if (rpId === null) return badEndpoint()
      if (await mustConfirm(context, person)) return badSecondFactor()
      const { id: personId } = person
      const purpose = { use: 'add', personId } as const
      const created = await createdPasskey({ ...context, rpId }, response, purpose)
      if (!created) return contract.badPasskeyResponse()
      const row = await db.change((tx) => insertPasskey(tx, { ...created, name }, max))
      if (row === 'full') return contract.badPasskeyCount({ max })
      return row === 'known' ? contract.badKnownPasskey() : contract.goodPasskeyAdd(passkeyView(row))
    }),

    on(contract.renamePasskey, async ({ person, params: { id }, body: { name } }) => {
      const isDone = await updatePasskeyName(db, { id, personId: person.id }, name)
      return isDone ? contract.goodPasskeyUpdate() : contract.badPasskey()
    }),

    on(contract.removePasskey, async ({ person, params: { id } }) => {
      if (await mustConfirm(context, person)) return badSecondFactor()
      const { id: personId } = person
      return await db.change(async (tx) => {
        const isSpareWay = await isSpare(tx, context, { personId, way: { passkey: id } })
        const isOwn = (await listPasskeys(tx, personId)).some((each) => each.id === id)
        if (isOwn && !isSpareWay) return badLastWay()
        return (await deletePasskey(tx, { id, personId })) ? goodWayRemoved() : contract.badPasskey()
      })
    }),
  ]
}

function signInPasskeyRoutes(context: SignInContext, rpId: string | null): Endpoint[] {
  return [
    on(contract.startPasskeySignIn, async () => {
      if (rpId === null) return badEndpoint()
      const options = await requestOptions({ ...context, rpId }, { use: 'sign-in' })
      return contract.goodPasskeyOptions({ options: { ...options } })
    }),

    on(contract.finishPasskeySignIn, async (call) => {
      if (rpId === null) return badEndpoint()
      const personId = await provenPerson({ ...context, rpId }, call.body.response, { use: 'sign-in' })
      const account = personId === null ? null : await findAccount(context.db, personId)
      if (!account) return contract.badPasskeyResponse()
      return await signIn(context, { account, method: 'passkey' }, visitorOf(call))
    }),
  ]
}

export function passkeyView({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Awaited<ReturnType<typeof listPasskeys>>[number]) {
  return { id, name, createdAt, lastUsedAt }
}
