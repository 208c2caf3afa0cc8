import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Markers } from '../../lib/key-value.ts'

/** What a code stands for: the consent of a team to be signed in at a client. */
const Consent = z.object({ teamId: z.string(), clientId: z.string() })
export type Consent = z.output<typeof Consent>

export interface Codes {
  issue(consent: Consent): Promise<string>
  /** Null unless this call is the first with a code that is still good. */
  take(code: string): Promise<Consent | null>
}

/** Contract, participant 17. */
const LIFE_MS = 60_000
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
      return value === null ? null : Consent.parse(JSON.parse(value))
    },
  }
}

function keyOf(code: string): string {
  return `external-auth:${code}`
}
