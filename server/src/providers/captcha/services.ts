import { z } from 'zod'
import { provider, type ProviderContext } from '../provider.ts'
import type { Captcha } from './captcha.ts'

/** A visitor waits for the response, and a slow service must not block requests. */
const TIMEOUT_MS = 5_000

const Verdict = z.object({ success: z.boolean() })
const Objections = z.object({ 'error-codes': z.array(z.string()).default([]) })
const BAD_SECRET = /secret/
/** No visitor can have this code, so the service only judges the secret key. */
const INVALID_CODE = 'pennant-doctor'

interface Service extends Pick<Captcha, 'contentSources'> {
  readonly name: string
  readonly verifyUrl: string
  /** Whether the service reads JSON instead of a form. */
  readonly isJson?: boolean
}

/** A service that shows a widget and verifies the codes that it issues. All of them accept the same request. */
function service({ name, verifyUrl: defaultUrl, contentSources, isJson = false }: Service) {
  return provider<Captcha>()({
    name,
    options: z.strictObject({
      siteKey: z.string().min(1).describe('Public key of the site, sent to browsers.'),
      secretKey: z.string().min(1).describe('Secret key for verifying codes.'),
      verifyUrl: z.url().default(defaultUrl).describe('Address that verifies codes.'),
    }),

    start({ siteKey, secretKey, verifyUrl }, { fetch, log }) {
      const ask = async (request: Readonly<Record<string, string>>) => {
        const fields = { secret: secretKey, ...request }
        return await post(verifyUrl, isJson ? JSON.stringify(fields) : new URLSearchParams(fields), fetch)
      }
      return {
        publicOptions: { siteKey },
        contentSources,

        // A missing, late or malformed response counts as a failed captcha.
        async verify(code, ip) {
          try {
            const address: Record<string, string> = ip === 'unknown' ? {} : { remoteip: ip }
            return Verdict.parse(await ask({ response: code, ...address })).success
          } catch (error) {
            log.warn({ err: error, provider: name }, 'the captcha service returned no usable response')
            return false
          }
        },

        // The service objects to the invalid code, and to the secret key only if that is wrong.
        async checkSecret() {
          const objections = Objections.parse(await ask({ response: INVALID_CODE }))['error-codes']
          return objections.find((code) => BAD_SECRET.test(code)) ?? null
        },
      }
    },
  })
}

async function post(
  url: string,
  body: URLSearchParams | string,
  fetch: ProviderContext['fetch'],
): Promise<unknown> {
  const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded'
  const verified = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!verified.ok) throw new Error(`The service responded with status ${verified.status}.`)
  return await verified.json()
}

const RECAPTCHA = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/']
const HCAPTCHA = ['https://hcaptcha.com', 'https://*.hcaptcha.com']
const TURNSTILE = ['https://challenges.cloudflare.com']

export const recaptcha = service({
  name: 'captcha/recaptcha',
  verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
  contentSources: { 'script-src': RECAPTCHA, 'frame-src': [...RECAPTCHA, 'https://recaptcha.google.com'] },
})

export const hcaptcha = service({
  name: 'captcha/hcaptcha',
  verifyUrl: 'https://api.hcaptcha.com/siteverify',
  contentSources: {
    'script-src': HCAPTCHA,
    'frame-src': HCAPTCHA,
    'style-src': HCAPTCHA,
    'connect-src': HCAPTCHA,
  },
})

export const turnstile = service({
  name: 'captcha/turnstile',
  verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  contentSources: { 'script-src': TURNSTILE, 'frame-src': TURNSTILE },
  isJson: true,
})
