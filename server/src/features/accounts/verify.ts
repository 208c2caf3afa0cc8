import * as contract from '@pennant/contract/accounts.ts'
import { badKnownEmail, badKnownName, badUnknownUser } from '@pennant/contract/replies.ts'
import { orCollision } from '../teams/collision.ts'
import { setTeamEmail } from '../teams/store.ts'
import { findTeamName, type AccountContext } from './deps.ts'
import type { OpenedToken } from './tokens.ts'

type EmailChange = Extract<OpenedToken, { readonly kind: 'update' }>

/** What a token from a mail does (participant 9.2). */
export async function verify(context: AccountContext, token: string) {
  const { tokens, verifyTokens } = context
  const opened = tokens.open(token, ['team', 'register', 'update'])
  if (!opened) return contract.badTokenVerification()
  if (opened.kind === 'team') {
    const name = await findTeamName(context, opened.teamId)
    return name === null
      ? badUnknownUser()
      : contract.goodVerify({ authToken: tokens.issueAuth(opened.teamId) })
  }
  const outcome = await verifyTokens.consume(opened.verifyId, async () =>
    opened.kind === 'register'
      ? await completeRegistration(context, opened.verifyId)
      : await changeEmail(context, opened),
  )
  return outcome ?? contract.badTokenVerification()
}

async function completeRegistration({ store, now }: AccountContext, verifyId: string) {
  const completion = await store.complete(verifyId, now())
  if (!completion) return contract.badTokenVerification()
  if ('teamId' in completion) return { created: completion.teamId }
  return completion.collision === 'name' ? badKnownName() : badKnownEmail()
}

async function changeEmail({ db, divisions }: AccountContext, { teamId, email }: EmailChange) {
  const request = { id: teamId, email, isAllowed: divisions.isAllowed }
  const outcome = await orCollision(setTeamEmail(db, request))
  if ('collision' in outcome) return badKnownEmail()
  if ('team' in outcome) return contract.goodEmailSet()
  return outcome.refused === 'gone' ? badUnknownUser() : contract.badEmailChangeDivision()
}

/** What a token from a mail would do. Uses nothing up (participant 9.3). */
export async function readInfo(context: AccountContext, token: string) {
  const { tokens, verifyTokens, store, now } = context
  const opened = tokens.open(token, ['team', 'register', 'update'])
  if (!opened) return contract.badTokenVerification()
  if (opened.kind === 'team') {
    const name = await findTeamName(context, opened.teamId)
    return contract.goodVerifyInfo({ kind: 'team', email: null, ...named(name) })
  }
  if (!(await verifyTokens.isUnused(opened.verifyId))) return contract.badTokenVerification()
  if (opened.kind === 'update') {
    const name = await findTeamName(context, opened.teamId)
    return contract.goodVerifyInfo({ kind: 'update', email: opened.email, ...named(name) })
  }
  const registration = await store.findRegistration(opened.verifyId, now())
  if (!registration) return contract.badTokenVerification()
  const { email, name } = registration
  return contract.goodVerifyInfo({ kind: 'register', email, name })
}

/** Absent, not null, when the team is gone. */
function named(name: string | null): { name?: string } {
  return name === null ? {} : { name }
}
