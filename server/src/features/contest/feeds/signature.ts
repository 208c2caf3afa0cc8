import { createHmac, randomBytes, timingSafeEqual, type Hmac } from 'node:crypto'
import type { ReadHead } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'

export interface SignatureDeps {
  readonly world: () => WorldView
  readonly now: () => number
}

/** Maximum difference between the clocks of both sides: docs/reference/pushed-scores.md#signature */
export const MAX_SKEW_MS = 300_000

/** Only digits: `Number` would also accept values such as `1e13`. */
const TIMESTAMP = /^\d+$/

/** Other formats can never match. */
const SIGNATURE = /^sha256=[0-9a-f]{64}$/

/**
 * Checks the signature over the raw body (docs/reference/pushed-scores.md#signature). Every refusal looks the
 * same to the caller: if the challenge accepts no pushes, the body is read and hashed with a random key.
 */
export function scoresSignature({ world, now }: SignatureDeps): ReadHead {
  const decoySecret = randomBytes(32)
  return ({ headers, params: { id = '' } }) => {
    const { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature } = headers
    if (typeof timestamp !== 'string' || typeof signature !== 'string') return null
    if (!TIMESTAMP.test(timestamp) || Math.abs(now() - Number(timestamp)) > MAX_SKEW_MS) return null
    const secret = findSecret(world(), id)
    const key = secret ?? decoySecret
    const plainHash = begin(key, `${timestamp}.`)
    // Includes the challenge id, so that the push cannot be replayed to another challenge with the same
    // secret: docs/reference/pushed-scores.md#signature
    const boundHash = begin(key, `${timestamp}.${id}.`)
    return {
      isDecoy: secret === null,
      canMatch: secret !== null && SIGNATURE.test(signature),
      update(bytes) {
        plainHash.update(bytes)
        boundHash.update(bytes)
      },
      accept() {
        const plain = plainHash.digest('hex')
        const isPlain = isSame(signature, plain)
        const isBound = isSame(signature, boundHash.digest('hex'))
        return secret !== null && (isPlain || isBound) ? plain : null
      },
    }
  }
}

/** The secret of a challenge that accepts pushes, whether public or not. */
function findSecret(world: WorldView, id: string): string | null {
  const challenge = world.challenge(id)
  return challenge?.scoringKind === 'dynamic' ? challenge.scoringSecret || null : null
}

function begin(secret: string | Buffer, prefix: string): Hmac {
  return createHmac('sha256', secret).update(prefix)
}

function isSame(header: string, digest: string): boolean {
  const [given, wanted] = [Buffer.from(header), Buffer.from(`sha256=${digest}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
