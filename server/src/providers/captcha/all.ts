import type { z } from 'zod'
import type { Provider } from '../provider.ts'
import type { Captcha, CaptchaContext } from './captcha.ts'
import { proofOfWork } from './proof-of-work.ts'
import { hcaptcha, recaptcha, turnstile } from './services.ts'
import { staticCaptcha } from './static.ts'

export const captchaProviders: readonly Provider<Captcha, z.ZodType, CaptchaContext>[] = [
  recaptcha,
  hcaptcha,
  turnstile,
  proofOfWork,
  staticCaptcha,
]
