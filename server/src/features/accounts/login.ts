import * as contract from '@pennant/contract/accounts.ts'
import { badUnknownUser } from '@pennant/contract/replies.ts'
import { findTeamName, type AccountContext } from './deps.ts'

interface Credentials {
  readonly teamToken?: string | undefined
  readonly extrankToken?: string | undefined
}

/** Signs in a team, banned or not. With both tokens the ranking site's counts (participant 9.5). */
export async function login(context: AccountContext, { teamToken, extrankToken }: Credentials) {
  const { tokens, world, store } = context
  if (extrankToken) {
    const handoff = tokens.open(extrankToken, ['handoff'])
    if (!handoff) return contract.badExtrankToken()
    const { extrankId } = handoff
    const known = world().findTeamByExtrankId(extrankId)?.id
    const id = known ?? (await store.findTeamIdByExtrankId(extrankId))
    return id === null ? badUnknownUser() : contract.goodLogin({ authToken: tokens.issueAuth(id) })
  }
  const opened = tokens.open(teamToken ?? '', ['team'])
  if (!opened) return contract.badTokenVerification()
  const name = await findTeamName(context, opened.teamId)
  if (name === null) return badUnknownUser()
  return contract.goodLogin({ authToken: tokens.issueAuth(opened.teamId) })
}
