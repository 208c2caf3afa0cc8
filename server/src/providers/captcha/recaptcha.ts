import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha } from './captcha.ts'
import { siteVerify, verifyRequest } from './site-verify.ts'

const WIDGET = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/']

export const recaptcha = provider<Captcha>()({
  name: 'captcha/recaptcha',
  options: z.strictObject({
    siteKey: z.string().min(1),
    secretKey: z.string().min(1),
    verifyUrl: z.url().default('https://www.google.com/recaptcha/api/siteverify'),
  }),

  start({ siteKey, secretKey, verifyUrl: url }, world) {
    return {
      publicOptions: { siteKey },
      contentSources: { 'script-src': WIDGET, 'frame-src': [...WIDGET, 'https://recaptcha.google.com'] },

      verify(code, ip) {
        const body = new URLSearchParams(verifyRequest(secretKey, code, ip))
        return siteVerify({ provider: 'captcha/recaptcha', url, body }, world)
      },
    }
  },
})
