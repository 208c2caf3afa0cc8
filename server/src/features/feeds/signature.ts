import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ReadHead } from '../../http/handler.ts'
import type { WorldView } from '../../world/model.ts'

export interface SignatureDeps {
  readonly world: () => WorldView
  readonly now: () => number
}

/** Specification, "Signed webhook": the clocks of both sides may be apart by so much. */
export const MAX_SKEW_MS = 300_000

/** Digits alone: `Number` would take more, such as `1e13`. */
const TIMESTAMP = /^\d+$/

/**
 * Checks the signature over the raw body (contract, participant 12). Whatever is wrong looks the same from outside:
 * for a challenge that takes no push the body is read and hashed with a key that nobody knows.
 */
export function scoresSignature({ world, now }: SignatureDeps): ReadHead {
  const decoySecret = randomBytes(32)
  return ({ headers, params: { id = '' } }) => {
    const { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature } = headers
    if (typeof timestamp !== 'string' || typeof signature !== 'string') return null
    if (!TIMESTAMP.test(timestamp) || Math.abs(now() - Number(timestamp)) > MAX_SKEW_MS) return null
    const secret = findSecret(world(), id)
    return {
      isDecoy: secret === null,
      accept(bytes) {
        const key = secret ?? decoySecret
        const plain = sign(key, `${timestamp}.`, bytes)
        // The form that names the challenge: such a push is of no use at another one with the same secret (ruling 11).
        const bound = sign(key, `${timestamp}.${id}.`, bytes)
        const isPlain = isSame(signature, plain)
        const isBound = isSame(signature, bound)
        return secret !== null && (isPlain || isBound) ? plain : null
      },
    }
  }
}

/** The secret of a challenge that takes pushes, public or not. */
function findSecret(world: WorldView, id: string): string | null {
  const challenge = world.challenge(id)
  return challenge?.scoringKind === 'dynamic' ? challenge.scoringSecret || null : null
}

function sign(secret: string | Buffer, prefix: string, bytes: Buffer): string {
  return createHmac('sha256', secret).update(prefix).update(bytes).digest('hex')
}

function isSame(header: string, digest: string): boolean {
  const [given, wanted] = [Buffer.from(header), Buffer.from(`sha256=${digest}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
