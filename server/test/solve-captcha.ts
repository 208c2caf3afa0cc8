import { createHash } from 'node:crypto'
import { captchaCodeOf } from '@pennant/contract/captcha-code.ts'
import { type CaptchaChallenge } from '@pennant/contract/captcha.ts'
import type { z } from 'zod'

/** What the site does with a task: one number after the other. */
export function solveCaptcha(challenge: z.output<typeof CaptchaChallenge>): string {
  const { prefix, target, difficulty } = challenge
  for (let number = 0; number < difficulty; number++) {
    if (createHash('sha256').update(`${prefix}.${number}`).digest('hex') === target)
      return captchaCodeOf(challenge, number)
  }
  throw new Error('a task without a solution')
}
