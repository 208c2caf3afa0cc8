import * as contract from '@pennant/contract/accounts.ts'
import { badKnownEmail, badKnownName, badUnknownUser } from '@pennant/contract/replies.ts'
import { orCollision } from '../teams/collision.ts'
import { isOwnTokenRefused } from '../teams/token-validity.ts'
import { setTeamEmail } from '../teams/store.ts'
import { findTeam, type AccountContext, type KnownTeam } from './deps.ts'
import { undecidedReply } from './refusals.ts'
import { isVoid, notBeforeOf, type OpenedToken } from './tokens.ts'

type EmailChange = Extract<OpenedToken, { readonly kind: 'update' }>

/** Applies a token from an email: docs/reference/accounts.md#verifying-a-token */
export async function verify(context: AccountContext, token: string) {
  const { tokens, verifyTokens } = context
  const opened = tokens.open(token, ['team', 'register', 'update', 'localLink'])
  if (!opened) return contract.badTokenVerification()
  if (opened.kind === 'localLink') return await beginLocalSession(context, opened)
  if (opened.kind === 'team') {
    const team = await findTeam(context, opened.teamId)
    if (!team) return badUnknownUser()
    if (isVoid(opened, team) || isOwnTokenRefused(team, context.isPersonRequired))
      return contract.badTokenVerification()
    return contract.goodVerify({ authToken: tokens.issueAuth(opened.teamId, notBeforeOf(team, opened)) })
  }
  // Signing out everywhere also cancels an email change that a stolen session may have started.
  if (opened.kind === 'update' && (await isOfVoidTeam(context, opened)))
    return contract.badTokenVerification()
  const outcome = await verifyTokens.consume(opened.verifyId, async () =>
    opened.kind === 'register'
      ? await completeRegistration(context, opened.verifyId)
      : await changeEmail(context, opened),
  )
  return outcome ?? contract.badTokenVerification()
}

type LocalLink = Extract<OpenedToken, { readonly kind: 'localLink' }>

async function beginLocalSession(context: AccountContext, opened: LocalLink) {
  const { tokens, verifyTokens, localSessionLifeMs } = context
  const team = await findTeam(context, opened.teamId)
  if (!team || isVoid(opened, team)) return contract.badTokenVerification()
  const outcome = await verifyTokens.consume(opened.verifyId, async () =>
    contract.goodVerify({ authToken: tokens.issueLocal(opened.teamId, localSessionLifeMs) }),
  )
  return outcome ?? contract.badTokenVerification()
}

async function isOfVoidTeam(context: AccountContext, opened: EmailChange): Promise<boolean> {
  const team = await findTeam(context, opened.teamId)
  return team !== null && isVoid(opened, team)
}

async function completeRegistration({ store, now, registrationRules }: AccountContext, verifyId: string) {
  const completion = await store.complete(verifyId, now(), registrationRules())
  if (!completion) return contract.badTokenVerification()
  if ('teamId' in completion) return { created: completion.teamId, isLocal: completion.isFirstAdmin === true }
  if (!('collision' in completion)) return undecidedReply(completion)
  return completion.collision === 'name' ? badKnownName() : badKnownEmail()
}

const changeRefusals = {
  gone: badUnknownUser,
  void: contract.badTokenVerification,
  division: contract.badEmailChangeDivision,
}

async function changeEmail({ db, divisions }: AccountContext, { teamId, email, issuedAt }: EmailChange) {
  const request = { id: teamId, email, issuedAt, isAllowed: divisions.isAllowed }
  const outcome = await orCollision(setTeamEmail(db, request))
  if ('collision' in outcome) return badKnownEmail()
  return 'team' in outcome ? contract.goodEmailSet() : changeRefusals[outcome.refused]()
}

/** Reads a token from an email without consuming it: docs/reference/accounts.md#reading-a-token */
export async function readInfo(context: AccountContext, token: string) {
  const { tokens, verifyTokens, store, now } = context
  const opened = tokens.open(token, ['team', 'register', 'update', 'localLink'])
  if (!opened) return contract.badTokenVerification()
  if (opened.kind === 'localLink' && !(await verifyTokens.isUnused(opened.verifyId)))
    return contract.badTokenVerification()
  if (opened.kind === 'team' || opened.kind === 'localLink') {
    const team = await findTeam(context, opened.teamId)
    if (team && isVoid(opened, team)) return contract.badTokenVerification()
    return contract.goodVerifyInfo({ kind: 'team', email: null, ...named(team) })
  }
  if (!(await verifyTokens.isUnused(opened.verifyId))) return contract.badTokenVerification()
  if (opened.kind === 'update') {
    const team = await findTeam(context, opened.teamId)
    if (team && isVoid(opened, team)) return contract.badTokenVerification()
    return contract.goodVerifyInfo({ kind: 'update', email: opened.email, ...named(team) })
  }
  const registration = await store.findRegistration(opened.verifyId, now())
  if (!registration) return contract.badTokenVerification()
  const { email, name } = registration
  return contract.goodVerifyInfo({ kind: 'register', email, name })
}

/** The field is absent, not null, if the team no longer exists. */
function named(team: KnownTeam | null): { name?: string } {
  return team === null ? {} : { name: team.name }
}
