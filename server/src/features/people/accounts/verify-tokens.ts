import type { Markers } from '../../../lib/key-value.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { PersonMail, Tokens } from './tokens.ts'

export interface VerifyTokensOptions {
  readonly tokens: Tokens
  readonly markers: Markers
  /**
   * Stored in the database even if other markers are not: links marked there work while Redis is unavailable.
   */
  readonly lasting?: Markers
  readonly loginTimeoutMs: number
}

export interface EmailChange {
  readonly teamId: string
  readonly email: string
  readonly issuedAt: number
}

/**
 * Makes Verify tokens single-use: issuing one sets a marker, and only the caller that takes the marker may
 * proceed.
 */
export interface VerifyTokens {
  issueRegistration(verifyId: string, issuedAt: number): Promise<string>
  issueEmailChange(change: EmailChange): Promise<string>
  /** For the team's session of someone with access to the machine. */
  issueLocalLink(teamId: string, issuedAt: number): Promise<string>
  /** For a person; see `PersonMail`. */
  issuePersonMail(mail: Pick<PersonMail, 'email' | 'personId'>): Promise<string>
  /** Whether the token is still unused. Does not use it up. */
  isUnused(verifyId: string): Promise<boolean>
  /** Runs the work for the one caller that takes the marker. Returns null for all others. */
  consume<T>(verifyId: string, work: () => Promise<T>): Promise<T | null>
}

export function createVerifyTokens({
  tokens,
  markers,
  lasting,
  loginTimeoutMs,
}: VerifyTokensOptions): VerifyTokens {
  const places = [...(lasting ? [lasting] : []), markers]
  // The marker is written before the email is queued: a marker without an email is harmless, but an email
  // without a marker contains a dead link.
  const mark = (verifyId: string) => markers.set(keyOf(verifyId), '1', loginTimeoutMs)

  return {
    async issueRegistration(verifyId, issuedAt) {
      await mark(verifyId)
      return tokens.issueVerify({ kind: 'register', verifyId }, issuedAt)
    },

    async issueEmailChange({ teamId, email, issuedAt }) {
      const verifyId = randomId()
      await mark(verifyId)
      return tokens.issueVerify({ kind: 'update', verifyId, teamId, email }, issuedAt)
    },

    async issueLocalLink(teamId, issuedAt) {
      const verifyId = randomId()
      await mark(verifyId)
      return tokens.issueVerify({ kind: 'localLink', verifyId, teamId }, issuedAt)
    },

    async issuePersonMail({ email, personId }) {
      const verifyId = randomId()
      await mark(verifyId)
      return tokens.issuePersonMail({ verifyId, email, personId })
    },

    async isUnused(verifyId) {
      for (const place of places) if ((await place.find(keyOf(verifyId))) !== null) return true
      return false
    },

    async consume(verifyId, work) {
      const place = await takeFromOne(places, keyOf(verifyId))
      if (!place) return null
      try {
        return await work()
      } catch (error) {
        // The database failed, but the token is valid: restore the marker so that the link works on the next
        // click. If the work was committed nevertheless, a repeat is refused anyway.
        await place.set(keyOf(verifyId), '1', loginTimeoutMs).catch(() => {})
        throw error
      }
    },
  }
}

/** Takes the marker and returns the place where it was stored. */
async function takeFromOne(places: readonly Markers[], key: string): Promise<Markers | null> {
  for (const place of places) if ((await place.take(key)) !== null) return place
  return null
}

function keyOf(verifyId: string): string {
  return `login:${verifyId}`
}
