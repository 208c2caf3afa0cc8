import { byCommand, recordAdminAction } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import { listAdmins } from './admins.ts'
import { signInLink } from './mail.ts'
import { createVerifyTokens, type VerifyTokensOptions } from './verify-tokens.ts'

export interface LocalLinkOptions extends VerifyTokensOptions {
  readonly db: Database
  readonly email: string
  readonly now: () => number
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
}

/**
 * The door that always remains: a link, for one use, that signs in a team with permissions without a second factor. Only someone
 * with access to the machine gets it. Null if no such team has the address. `markers` must work while Redis is unavailable.
 */
export async function localLink({
  db,
  email,
  now,
  origin,
  ...options
}: LocalLinkOptions): Promise<string | null> {
  const team = (await listAdmins(db)).find((each) => each.email === email)
  if (!team) return null
  const token = await createVerifyTokens(options).issueLocalLink(team.id, now())
  await db.change((tx) =>
    tx.query(recordAdminAction({ ...byCommand, action: 'organiser.local-link', target: team.id })),
  )
  return signInLink(origin, token)
}
