import { z } from 'zod'
import { provider } from '../provider.ts'
import type { Captcha } from './captcha.ts'
import { siteVerify, verifyRequest } from './site-verify.ts'

const WIDGET = ['https://hcaptcha.com', 'https://*.hcaptcha.com']

export const hcaptcha = provider<Captcha>()({
  name: 'captcha/hcaptcha',
  options: z.strictObject({
    siteKey: z.string().min(1),
    secretKey: z.string().min(1),
    verifyUrl: z.url().default('https://api.hcaptcha.com/siteverify'),
  }),

  start({ siteKey, secretKey, verifyUrl: url }, world) {
    return {
      publicOptions: { siteKey },
      contentSources: {
        'script-src': WIDGET,
        'frame-src': WIDGET,
        'style-src': WIDGET,
        'connect-src': WIDGET,
      },

      verify(code, ip) {
        const body = new URLSearchParams(verifyRequest(secretKey, code, ip))
        return siteVerify({ provider: 'captcha/hcaptcha', url, body }, world)
      },
    }
  },
})
