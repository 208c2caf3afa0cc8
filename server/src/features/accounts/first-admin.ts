import { isEmail } from '@pennant/contract/fields.ts'
import { allPermissions } from '@pennant/contract/permissions.ts'
import type { Database } from '../../db/database.ts'
import { randomId } from '../../lib/uuid.ts'
import { listAdmins } from './admins.ts'
import { verifyLink } from './mail.ts'
import { freeIdentity, storeAdminRegistration } from './registrations.ts'
import { createVerifyTokens, type VerifyTokensOptions } from './verify-tokens.ts'

/** `markers` are those that also work while Redis is away. */
export interface FirstAdminOptions extends VerifyTokensOptions {
  readonly db: Database
  readonly now: () => number
  /** Public address of the site, without a trailing slash. */
  readonly origin: string
  /** Division of the team. */
  readonly division: string
}

/**
 * A one-time link that makes an admin of whoever follows it, for the first start; null when there is an admin. A
 * link that was made before stops working.
 */
export async function firstAdminLink(options: FirstAdminOptions): Promise<string | null> {
  const { db, origin, division, now, loginTimeoutMs } = options
  if ((await listAdmins(db)).length > 0) return null
  const createdAt = now()
  const id = randomId()
  const token = await createVerifyTokens(options).issueRegistration(id, createdAt)
  await storeAdminRegistration(db, {
    id,
    ...(await freeIdentity(db, { name: 'organiser', email: `admin@${mailDomain(origin)}` })),
    division,
    perms: allPermissions,
    createdAt,
    expiresAt: createdAt + loginTimeoutMs,
  })
  return verifyLink(origin, token)
}

/** The site's host, when it can be part of an address. */
function mailDomain(origin: string): string {
  const { hostname } = new URL(origin)
  return isEmail(`admin@${hostname}`) ? hostname : 'pennant.invalid'
}
