import * as contract from '@pennant/contract/sign-in.ts'
import * as sessions from '@pennant/contract/sessions.ts'
import { signOutHere } from '@pennant/contract/sessions.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { createVerifyTokens } from '../accounts/verify-tokens.ts'
import { visitorOf, type SignInContext, type SignInDeps } from './deps.ts'
import { askForAddress, askForMail, readLink, useLink } from './mail-link.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { finishJourney, startJourney } from './provider-flow.ts'
import { confirmRoutes } from './confirm-routes.ts'
import { passkeyRoutes, passkeyView } from './passkey-routes.ts'
import { listPasskeys } from './passkey-store.ts'
import { badEndpoint, badSecondFactor } from '@pennant/contract/replies.ts'
import { hasSecondFactor } from '../persons/permissions.ts'
import { countCodes, hasHadFactor, isDemandedOf, mustConfirm } from './second-factor.ts'
import { renewLink } from './personal-link.ts'
import { endSessions, findAccount, listSessions, setEmail, setLinkFrom } from './store.ts'
import { isSpare } from './ways.ts'

export function signInRoutes(deps: SignInDeps): Endpoint[] {
  const context: SignInContext = { ...deps, verifyTokens: createVerifyTokens(deps) }
  return [
    on(contract.askSignInMail, ({ body, ip }) => askForMail(context, body.email, ip)),
    on(contract.readSignInLink, ({ body }) => readLink(context, body.token)),
    on(contract.useSignInLink, (call) => useLink(context, call.body, visitorOf(call))),
    ...providerRoutes(context),
    ...wayRoutes(context),
    ...passkeyRoutes(context),
    ...confirmRoutes(context),
    ...sessionRoutes(context),
  ]
}

function providerRoutes(context: SignInContext): Endpoint[] {
  const { db, providers } = context
  return [
    on(contract.startProvider, ({ params: { id }, body: { browserKey } }) =>
      startJourney(context, { id, browserKey, personId: null }),
    ),

    on(contract.finishProvider, (call) =>
      finishJourney(context, { ...call.params, ...call.body }, visitorOf(call)),
    ),

    on(contract.linkProvider, async ({ params: { id }, body: { browserKey }, person }) => {
      if (await mustConfirm(context, person)) return badSecondFactor()
      return await startJourney(context, { id, browserKey, personId: person.id })
    }),

    on(contract.unlinkProvider, ({ params, person: { id: personId } }) => {
      const issuer = providers.find(({ options }) => options.id === params.id)?.options.issuer
      if (issuer === undefined) return badEndpoint()
      return db.change(async (tx) => {
        const way = { identity: issuer }
        if (!(await isSpare(tx, context, { personId, way }))) return contract.badLastWay()
        await unlinkIdentity(tx, personId, issuer)
        return contract.goodWayRemoved()
      })
    }),
  ]
}

function wayRoutes(context: SignInContext): Endpoint[] {
  const { db } = context
  return [
    on(contract.readSignInWays, async ({ person: { id, name, methods } }) => {
      const account = await findAccount(db, id)
      const identities = await listIdentities(db, id)
      return contract.goodSignInWays({
        person: { id, name },
        email: account?.email ?? null,
        personalLink: account?.linkFrom != null,
        providers: context.providers.map(({ options: { id: provider, label, issuer } }) => ({
          id: provider,
          label,
          account: identities.find((each) => each.issuer === issuer)?.label ?? null,
        })),
        passkeys: (await listPasskeys(db, id)).map(passkeyView),
        secondFactor: {
          isDemanded: isDemandedOf(context, id),
          isConfirmed: hasSecondFactor(methods),
          isMissing: !(await hasHadFactor(db, id)),
          recoveryCodes: await countCodes(db, id),
        },
      })
    }),

    on(contract.setPersonEmail, ({ body, person }) => askForAddress(context, body.email, person.id)),

    on(contract.removePersonEmail, ({ person: { id } }) =>
      db.change(async (tx) => {
        if (!(await isSpare(tx, context, { personId: id, way: 'mail' }))) return contract.badLastWay()
        await setEmail(tx, { id, email: null })
        return contract.goodWayRemoved()
      }),
    ),

    on(contract.renewPersonalLink, async ({ person }) => {
      const link = await db.change((tx) => renewLink(tx, context, person.id))
      if (link === null) throw new Error('the person of a session does not exist')
      return contract.goodPersonalLink({ link })
    }),

    on(contract.removePersonalLink, ({ person: { id } }) =>
      db.change(async (tx) => {
        if (!(await isSpare(tx, context, { personId: id, way: 'link' }))) return contract.badLastWay()
        await setLinkFrom(tx, id, null)
        return contract.goodWayRemoved()
      }),
    ),
  ]
}

function sessionRoutes({ db, now }: SignInContext): Endpoint[] {
  return [
    on(sessions.listSessions, async ({ person: { id, sessionId } }) => {
      const rows = await listSessions(db, { personId: id, now: now() }, sessions.MAX_SESSIONS)
      return sessions.goodSessions({
        sessions: rows.map((row) => ({ ...row, isCurrent: row.id === sessionId })),
      })
    }),

    on(sessions.endSession, async ({ person, params }) => {
      const of = { personId: person.id, now: now(), only: params.id }
      const ended = await db.change((tx) => endSessions(tx, of))
      return ended === 0 ? sessions.badSession() : sessions.goodSessionsEnded({ ended })
    }),

    on(signOutHere, async ({ person }) => {
      if (!person) return sessions.goodSessionsEnded({ ended: 0 })
      const of = { personId: person.id, now: now(), only: person.sessionId }
      return sessions.goodSessionsEnded({ ended: await db.change((tx) => endSessions(tx, of)) })
    }),

    on(sessions.endOtherSessions, async ({ person }) => {
      const of = { personId: person.id, now: now(), except: person.sessionId }
      return sessions.goodSessionsEnded({ ended: await db.change((tx) => endSessions(tx, of)) })
    }),
  ]
}
