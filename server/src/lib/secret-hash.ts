import { createHash } from 'node:crypto'

/** Hash of a secret of at least 80 random bits. Those cannot be guessed, so a slow password hash is not needed. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
