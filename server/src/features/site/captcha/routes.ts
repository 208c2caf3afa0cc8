import { createCaptchaChallenge, goodCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Captcha } from '../../../providers/captcha/captcha.ts'

export interface CaptchaDeps {
  readonly captcha: Captcha | null
}

/** Endpoint for captcha challenges that this server generates itself. An external service has none. */
export function captchaRoutes({ captcha }: CaptchaDeps): Endpoint[] {
  return [
    on(createCaptchaChallenge, () =>
      captcha?.issue ? goodCaptchaChallenge(captcha.issue()) : badEndpoint(),
    ),
  ]
}
