import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { createCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha, CaptchaWorld } from './captcha.ts'

/** Long enough for a slow telephone and a form that is filled in at leisure; how long a used task is remembered. */
const LIFE_MS = 10 * 60 * 1000

/** Expiry, difficulty, id, found number, signature, as `captchaCodeOf` puts them together. */
const CODE = /^(\d{1,15})\.(\d{1,9})\.([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/

/**
 * Lets the visitor's browser compute. We choose a number and show its digest: whoever wants it must try one number
 * after the other, while we check with two digests and without having kept anything.
 */
export const proofOfWork = provider<Captcha, CaptchaWorld>()({
  name: 'captcha/proof-of-work',
  options: z.strictObject({
    difficulty: z
      .int()
      .min(1)
      .max(100_000_000)
      .default(500_000)
      .describe('Most digests that a browser computes for one code; half of them on average.'),
  }),

  start({ difficulty }, { now, markers, signingKey }) {
    const sign = (prefix: string, target: string) =>
      createHmac('sha256', signingKey).update(`${prefix}.${target}`).digest('base64url')

    return {
      publicOptions: {
        kind: 'proof-of-work',
        difficulty: String(difficulty),
        route: createCaptchaChallenge.path,
      },
      contentSources: {},

      issue() {
        const expiresAt = now() + LIFE_MS
        const prefix = `${expiresAt}.${difficulty}.${randomBytes(16).toString('base64url')}`
        const target = digest(prefix, String(randomInt(difficulty)))
        return {
          algorithm: 'sha-256',
          prefix,
          target,
          difficulty,
          expiresAt,
          signature: sign(prefix, target),
        }
      },

      async verify(code) {
        const [, expiresAt = '', work = '', id = '', found = '', signature = ''] = CODE.exec(code) ?? []
        const leftMs = Number(expiresAt) - now()
        // A task from before the operator asked for more is no longer good.
        if (id === '' || leftMs <= 0 || Number(work) < difficulty) return false
        const prefix = `${expiresAt}.${work}.${id}`
        const expected = sign(prefix, digest(prefix, found))
        if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return false
        return await markers.claim(`captcha:${id}`, '', leftMs)
      },
    }
  },
})

function digest(prefix: string, found: string): string {
  return createHash('sha256').update(`${prefix}.${found}`).digest('hex')
}
