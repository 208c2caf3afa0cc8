import { badToken } from '@pennant/contract/replies.ts'
import { goodSignOutEverywhere } from '@pennant/contract/teams.ts'
import type { Actor } from '../../../http/handler.ts'
import { signOutEverywhere } from '../teams/token-validity.ts'
import type { AccountContext } from './deps.ts'

/** Voids all tokens of the caller's team and returns new ones, so that this browser stays signed in. */
export async function signOutOwnTeam(
  { db, now, ownWrites, tokens }: AccountContext,
  { id, tokenIssuedAt: issuedAt }: Actor,
) {
  const full = ownWrites.refusal(id)
  if (full) return full
  const write = () => db.change((tx) => signOutEverywhere(tx, { id, now: now(), issuedAt }))
  const validFrom = await ownWrites.run(id, write)
  if (validFrom === null) return badToken()
  return goodSignOutEverywhere({
    authToken: tokens.issueAuth(id, validFrom),
    teamToken: tokens.issueTeam(id, validFrom),
  })
}
