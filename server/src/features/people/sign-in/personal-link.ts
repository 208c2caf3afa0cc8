import type { Queries } from '../../../db/database.ts'
import { personLink } from '../accounts/mail.ts'
import type { OpenedToken, Tokens } from '../accounts/tokens.ts'
import { findAccount, setLinkFrom, type Account } from './store.ts'

interface LinkDeps {
  readonly tokens: Pick<Tokens, 'issuePersonal'>
  readonly now: () => number
  readonly origin: string
}

/**
 * Makes the link with which a person signs in without mail or a provider, in place of the earlier one. Null if the person
 * does not exist. Callers hold the change lock, so no two links of a person have one time.
 */
export async function renewLink(
  db: Queries,
  { tokens, now, origin }: LinkDeps,
  personId: string,
): Promise<string | null> {
  const account = await findAccount(db, personId)
  if (!account) return null
  const { linkFrom, sessionsValidFrom } = account
  const issuedAt =
    Math.ceil(Math.max(Math.floor(now() / 1000) * 1000, (linkFrom ?? 0) + 1000, sessionsValidFrom) / 1000) *
    1000
  await setLinkFrom(db, personId, issuedAt)
  return personLink(origin, tokens.issuePersonal(personId, issuedAt))
}

type Personal = Extract<OpenedToken, { readonly kind: 'personal' }>

/** The person whose current link it is. */
export async function accountOfLink(db: Queries, { personId, issuedAt }: Personal): Promise<Account | null> {
  const account = await findAccount(db, personId)
  return account && issuedAt === account.linkFrom && issuedAt >= account.sessionsValidFrom ? account : null
}
