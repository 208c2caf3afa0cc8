import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha } from './captcha.ts'
import { checkSecret, INVALID_CODE, siteVerify, verifyRequest } from './site-verify.ts'

const WIDGET = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/']

export const recaptcha = provider<Captcha>()({
  name: 'captcha/recaptcha',
  options: z.strictObject({
    siteKey: z.string().min(1).describe('Public key of the site, sent to browsers.'),
    secretKey: z.string().min(1).describe('Secret key for verifying codes.'),
    verifyUrl: z
      .url()
      .default('https://www.google.com/recaptcha/api/siteverify')
      .describe('Address that verifies codes.'),
  }),

  start({ siteKey, secretKey, verifyUrl: url }, context) {
    const request = (code: string, ip: string) => ({
      provider: 'captcha/recaptcha',
      url,
      body: new URLSearchParams(verifyRequest(secretKey, code, ip)),
    })
    return {
      publicOptions: { siteKey },
      contentSources: { 'script-src': WIDGET, 'frame-src': [...WIDGET, 'https://recaptcha.google.com'] },

      verify: (code, ip) => siteVerify(request(code, ip), context),
      checkSecret: () => checkSecret(request(INVALID_CODE, 'unknown'), context),
    }
  },
})
