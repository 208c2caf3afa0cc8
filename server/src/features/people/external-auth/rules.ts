import { timingSafeEqual } from 'node:crypto'
import { secretHash } from '../../../lib/secret-hash.ts'

export function isSecret(given: string, hash: Buffer): boolean {
  return timingSafeEqual(secretHash(given), hash)
}

/**
 * Redirect target for the browser. Query parameters of the redirect URI are kept, except those with the same
 * name.
 */
export function redirectTo(
  redirectUri: string,
  added: { readonly code: string; readonly state?: string | undefined; readonly iss?: string },
) {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(added))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
