import { isEmail } from '@pennant/contract/fields.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import type { Database } from '../../../db/database.ts'
import { randomId } from '../../../lib/uuid.ts'
import { listAdmins } from './admins.ts'
import { verifyLink } from './mail.ts'
import { deleteAdminRegistrations, freeIdentity, storeAdminRegistration } from './registrations.ts'
import { createVerifyTokens, type VerifyTokensOptions } from './verify-tokens.ts'

/** `markers` must also work while Redis is unavailable. */
export interface FirstAdminOptions extends VerifyTokensOptions {
  readonly db: Database
  readonly now: () => number
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Division of the new team. */
  readonly division: string
}

/**
 * Creates the one-time link for the first start, which makes its user an admin. Returns null if an admin
 * exists. Either way, earlier links stop working.
 */
export async function firstAdminLink(options: FirstAdminOptions): Promise<string | null> {
  const { db, origin, division, now, loginTimeoutMs } = options
  if ((await listAdmins(db)).length > 0) {
    await deleteAdminRegistrations(db)
    return null
  }
  const createdAt = now()
  const id = randomId()
  const token = await createVerifyTokens(options).issueRegistration(id, createdAt)
  await storeAdminRegistration(db, {
    id,
    ...(await freeIdentity(db, { name: 'organiser', email: `admin@${mailDomain(origin)}` })),
    division,
    perms: ALL_PERMISSIONS,
    createdAt,
    expiresAt: createdAt + loginTimeoutMs,
  })
  return verifyLink(origin, token)
}

/** The site's host if it is valid in an email address, otherwise a placeholder. */
function mailDomain(origin: string): string {
  const { hostname } = new URL(origin)
  return isEmail(`admin@${hostname}`) ? hostname : 'pennant.invalid'
}
