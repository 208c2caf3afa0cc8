import { z } from 'zod'
import type { ProviderContext } from '../provider.ts'

/** A visitor waits for the response, and a slow service must not block requests. */
const TIMEOUT_MS = 5_000

const Verdict = z.object({ success: z.boolean() })
const Objections = z.object({ 'error-codes': z.array(z.string()).default([]) })
const BAD_SECRET = /secret/
/** No visitor can have this code, so the service only judges the secret key. */
export const INVALID_CODE = 'pennant-doctor'

export interface Verification {
  /** The name for the log. */
  readonly provider: string
  readonly url: string
  readonly body: URLSearchParams | string
}

/** The request that all captcha services accept. An unknown IP address is omitted. */
export function verifyRequest(secret: string, code: string, ip: string): Record<string, string> {
  const request = { secret, response: code }
  return ip === 'unknown' ? request : { ...request, remoteip: ip }
}

/** Calls the service. A missing, late or malformed response counts as a failed captcha. */
export async function siteVerify(
  verification: Verification,
  { fetch, log }: ProviderContext,
): Promise<boolean> {
  try {
    return Verdict.parse(await post(verification, fetch)).success
  } catch (error) {
    log.warn(
      { err: error, provider: verification.provider },
      'the captcha service returned no usable response',
    )
    return false
  }
}

/** Sends a nonsense code: the service objects to it, and to the secret key only if that is wrong. */
export async function checkSecret(
  verification: Verification,
  { fetch }: ProviderContext,
): Promise<string | null> {
  const objections = Objections.parse(await post(verification, fetch))['error-codes']
  return objections.find((code) => BAD_SECRET.test(code)) ?? null
}

async function post({ url, body }: Verification, fetch: ProviderContext['fetch']): Promise<unknown> {
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
