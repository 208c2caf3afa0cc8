import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { badEndpoint } from './replies.ts'
import { reply, route } from './route.ts'

// The task of `captcha/proof-of-work`. The visitor's browser tries the integers from 0 up to `difficulty`
// (exclusive) until the SHA-256 of `<prefix>.<number>`, in lower-case hex, equals `target`. A task can be
// used once.

export const CaptchaChallenge = z.object({
  algorithm: z.literal('sha-256'),
  prefix: z.string(),
  target: z.string().regex(/^[0-9a-f]{64}$/),
  difficulty: z.int().describe('Maximum number of attempts; half of it on average.'),
  expiresAt: UnixMs,
  signature: z.string(),
})

export const goodCaptchaChallenge = reply(
  200,
  'goodCaptchaChallenge',
  'A task for the browser.',
  CaptchaChallenge,
)

export const createCaptchaChallenge = route({
  method: 'GET',
  path: '/api/v2/integrations/captcha/challenge',
  summary: 'A fresh task of the self-hosted captcha.',
  auth: 'public',
  shows: [],
  secret: true,
  limits: [],
  replies: [goodCaptchaChallenge, badEndpoint],
})

export const captchaRouteList = [createCaptchaChallenge] as const
