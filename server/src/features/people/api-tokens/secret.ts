import { randomBytes } from 'node:crypto'
import { secretHash } from '../../../lib/secret-hash.ts'

// The form of an API token: docs/reference/api-tokens.md#form

const PREFIX = 'pnt_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
/** Digits of 32 bytes, and of a checksum of four. */
const SECRET_DIGITS = 43
const CHECKSUM_DIGITS = 6
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`)

export function newApiToken(): string {
  const secret = PREFIX + inBase62(randomBytes(SECRET_BYTES), SECRET_DIGITS)
  return secret + checksumOf(secret)
}

/** Also true for one that was never issued: the checksum only tells a token from any other text. */
export function isApiToken(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_DIGITS)))
}

function checksumOf(secret: string): string {
  return inBase62(secretHash(secret).subarray(0, 4), CHECKSUM_DIGITS)
}

function inBase62(bytes: Buffer, digits: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let at = 0; at < digits; at += 1) {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
