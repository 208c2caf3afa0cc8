import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { OpenIdRequest } from '@pennant/contract/openid.ts'
import type { Markers } from '../../../lib/key-value.ts'

/**
 * The consent behind a code: a team agreed to be signed in at a client. The token is dated at the time of
 * consent.
 */
const Consent = z.object({
  teamId: z.string(),
  clientId: z.string(),
  issuedAt: z.int(),
  /** Only for a site that uses OpenID Connect. */
  openid: OpenIdRequest.extend({
    personId: z.string().nullable(),
    /** When the session of the browser began, in Unix milliseconds. */
    signedInAt: z.int(),
  }).optional(),
})
export type Consent = z.output<typeof Consent>

export interface Codes {
  issue(consent: Consent): Promise<string>
  /** Returns the consent to the first caller with a valid code, null to all others. */
  take(code: string): Promise<Consent | null>
}

/** docs/reference/external-auth.md#authorization-codes */
const LIFE_MS = MINUTE_MS
/** 32 bytes in base64url. */
const FORM = /^[\w-]{43}$/

export function createCodes(markers: Markers): Codes {
  return {
    async issue(consent) {
      const code = randomBytes(32).toString('base64url')
      await markers.set(keyOf(code), JSON.stringify(consent), LIFE_MS)
      return code
    },

    async take(code) {
      const value = FORM.test(code) ? await markers.take(keyOf(code)) : null
      // Codes issued by an earlier version have no time. They are refused, and the visitor signs in again.
      return value === null ? null : (Consent.safeParse(JSON.parse(value)).data ?? null)
    },
  }
}

function keyOf(code: string): string {
  return `external-auth:${code}`
}
