import { z } from 'zod'
import type { ProviderWorld } from '../provider.ts'

/** A visitor waits for the answer, and a slow service must not hold requests. */
const TIMEOUT_MS = 5_000

const Verdict = z.object({ success: z.boolean() })

export interface Verification {
  /** The name for the log. */
  readonly provider: string
  readonly url: string
  readonly body: URLSearchParams | string
}

/** The question that all captcha services understand. An address that is not known is left out. */
export function verifyRequest(secret: string, code: string, ip: string): Record<string, string> {
  const request = { secret, response: code }
  return ip === 'unknown' ? request : { ...request, remoteip: ip }
}

/** Asks the service. No answer, a late one, or one that makes no sense counts as no. */
export async function siteVerify(
  verification: Verification,
  { fetch, log }: ProviderWorld,
): Promise<boolean> {
  const { provider, url, body } = verification
  const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded'
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`The service answered with status ${answer.status}.`)
    return Verdict.parse(await answer.json()).success
  } catch (error) {
    log.warn({ err: error, provider }, 'the captcha service gave no usable answer')
    return false
  }
}
