import * as contract from '@pennant/contract/accounts.ts'
import { badUnknownUser } from '@pennant/contract/replies.ts'
import { isOwnTokenRefused } from '../teams/token-validity.ts'
import { findTeam, type AccountContext } from './deps.ts'
import { isVoid, notBeforeOf } from './tokens.ts'

interface Credentials {
  readonly teamToken?: string | undefined
  readonly extrankToken?: string | undefined
}

/**
 * Signs in a team, banned or not. If both tokens are sent, the ranking site's is used:
 * docs/reference/accounts.md#sign-in
 */
export async function login(context: AccountContext, { teamToken, extrankToken }: Credentials) {
  const { tokens, world, store } = context
  if (extrankToken) {
    const handoff = tokens.open(extrankToken, ['handoff'])
    if (!handoff) return contract.badExtrankToken()
    const { extrankId } = handoff
    const team = world().findTeamByExtrankId(extrankId) ?? (await store.findTeamByExtrankId(extrankId))
    if (!team) return badUnknownUser()
    if (isVoid(handoff, team)) return contract.badExtrankToken()
    return contract.goodLogin({ authToken: tokens.issueAuth(team.id, notBeforeOf(team, handoff)) })
  }
  const opened = tokens.open(teamToken ?? '', ['team'])
  if (!opened) return contract.badTokenVerification()
  const team = await findTeam(context, opened.teamId)
  if (!team) return badUnknownUser()
  if (isVoid(opened, team) || isOwnTokenRefused(team, context.isPersonRequired))
    return contract.badTokenVerification()
  return contract.goodLogin({ authToken: tokens.issueAuth(opened.teamId, notBeforeOf(team, opened)) })
}
