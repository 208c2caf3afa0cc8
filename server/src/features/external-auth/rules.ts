import { createHash, timingSafeEqual } from 'node:crypto'

/** What is kept of a secret of 32 random bytes: nobody guesses those, so that nothing slower is needed. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function isSecret(given: string, hash: Buffer): boolean {
  return timingSafeEqual(secretHash(given), hash)
}

/** Where the browser goes on. Parameters of the address stay, but for equal names. */
export function redirectTo(
  redirectUri: string,
  added: { readonly code: string; readonly state?: string | undefined },
) {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(added))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
