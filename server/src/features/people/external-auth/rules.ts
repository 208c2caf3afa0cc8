import { createHash, timingSafeEqual } from 'node:crypto'

/** Hash of a secret of 32 random bytes. Those cannot be guessed, so a slow password hash is not needed. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function isSecret(given: string, hash: Buffer): boolean {
  return timingSafeEqual(secretHash(given), hash)
}

/**
 * Redirect target for the browser. Query parameters of the redirect URI are kept, except those with the same
 * name.
 */
export function redirectTo(
  redirectUri: string,
  added: { readonly code: string; readonly state?: string | undefined },
) {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(added))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
