import { createHash } from 'node:crypto'
import { captchaCodeOf } from '@pennant/contract/captcha-code.ts'
import { type CaptchaChallenge } from '@pennant/contract/captcha.ts'
import type { z } from 'zod'

/** Solves a task like the site does: tries one number after another. */
export function solveCaptcha(challenge: z.output<typeof CaptchaChallenge>): string {
  const { prefix, target, difficulty } = challenge
  for (let number = 0; number < difficulty; number++) {
    if (createHash('sha256').update(`${prefix}.${number}`).digest('hex') === target)
      return captchaCodeOf(challenge, number)
  }
  throw new Error('a task without a solution')
}
