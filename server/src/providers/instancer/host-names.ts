import { createHash, createHmac } from 'node:crypto'

// Host names of instances. A team must not be able to compute or guess the host name of another team's
// instance, so the name contains an id derived from the deployment's key and a nonce of the start.

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** Five bits each: 100 bits. */
const ID_LENGTH = 20
/** RFC 1035, section 2.3.4. */
const MAX_LABEL_LENGTH = 63
const PREFIX_HASH_LENGTH = 8

/** The parts identify one start of one instance; the last one is a nonce. */
export function hostIdOf(key: Buffer, parts: readonly string[]): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  return Array.from(digest.subarray(0, ID_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/**
 * Such as `web-<id>`. A prefix that is too long is truncated; its hash keeps it unique within the instance.
 */
export function hostLabelOf(hostPrefix: string, hostId: string): string {
  const room = MAX_LABEL_LENGTH - hostId.length - 1
  if (hostPrefix.length <= room) return `${hostPrefix}-${hostId}`
  const hash = createHash('sha256').update(hostPrefix).digest('hex').slice(0, PREFIX_HASH_LENGTH)
  return `${hostPrefix.slice(0, room - PREFIX_HASH_LENGTH - 1)}-${hash}-${hostId}`
}
