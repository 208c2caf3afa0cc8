import type { z } from 'zod'
import type { Provider } from '../provider.ts'
import type { Captcha, CaptchaContext } from './captcha.ts'
import { hcaptcha } from './hcaptcha.ts'
import { proofOfWork } from './proof-of-work.ts'
import { recaptcha } from './recaptcha.ts'
import { staticCaptcha } from './static.ts'
import { turnstile } from './turnstile.ts'

export const captchaProviders: readonly Provider<Captcha, z.ZodType, CaptchaContext>[] = [
  recaptcha,
  hcaptcha,
  turnstile,
  proofOfWork,
  staticCaptcha,
]
