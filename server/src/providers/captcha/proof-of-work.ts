import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { createCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha, CaptchaContext } from './captcha.ts'

/** Enough for a slow phone and a form filled in at leisure; used challenges are remembered for as long. */
const LIFE_MS = 10 * 60 * 1000

/** Expiry, difficulty, id, found number and signature, as joined by `captchaCodeOf`. */
const CODE = /^(\d{1,15})\.(\d{1,9})\.([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/

/**
 * Makes the visitor's browser compute. The server picks a number and sends its digest; the browser must try
 * numbers one by one, while the server verifies with two digests and stores nothing per challenge.
 */
export const proofOfWork = provider<Captcha, CaptchaContext>()({
  name: 'captcha/proof-of-work',
  options: z.strictObject({
    difficulty: z
      .int()
      .min(1)
      .max(100_000_000)
      .default(500_000)
      .describe('Maximum number of hashes that a browser computes per captcha; half of them on average.'),
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
        // Challenges issued before the operator raised the difficulty are no longer valid.
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
