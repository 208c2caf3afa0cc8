import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha } from './captcha.ts'

/** Accepts one fixed code. For tests and rehearsals; it stops no one. */
export const staticCaptcha = provider<Captcha>()({
  name: 'captcha/static',
  options: z.strictObject({
    siteKey: z.string().min(1).default('static').describe('Sent to browsers.'),
    code: z.string().min(1).describe('The only code that is accepted; for tests.'),
  }),

  start({ siteKey, code: expected }) {
    return {
      publicOptions: { siteKey },
      contentSources: {},
      verify: (code) => Promise.resolve(code === expected),
    }
  },
})
