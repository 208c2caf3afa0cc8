import type { Markers } from '../../lib/key-value.ts'
import { randomId } from '../../lib/uuid.ts'
import type { Tokens } from './tokens.ts'

export interface VerifyTokensOptions {
  readonly tokens: Tokens
  readonly markers: Markers
  /** In the database, whatever else keeps the others: a link that was marked there works while Redis is away. */
  readonly lasting?: Markers
  readonly loginTimeoutMs: number
}

/** Single use for Verify tokens: a marker is set when one is issued, and whoever takes it away may go on. */
export interface VerifyTokens {
  issueRegistration(verifyId: string, issuedAt: number): Promise<string>
  issueEmailChange(change: { readonly teamId: string; readonly email: string }): Promise<string>
  /** Whether the token was not used yet. Uses nothing up. */
  isUnused(verifyId: string): Promise<boolean>
  /** Runs the work for the one caller who takes the marker; null for all others. */
  consume<T>(verifyId: string, work: () => Promise<T>): Promise<T | null>
}

export function createVerifyTokens({
  tokens,
  markers,
  lasting,
  loginTimeoutMs,
}: VerifyTokensOptions): VerifyTokens {
  const places = [...(lasting ? [lasting] : []), markers]
  // The marker comes before whatever refers to it: a marker without a mail harms nobody, a mail without one is a
  // dead link.
  const mark = (verifyId: string) => markers.set(keyOf(verifyId), '1', loginTimeoutMs)

  return {
    async issueRegistration(verifyId, issuedAt) {
      await mark(verifyId)
      return tokens.issueVerify({ kind: 'register', verifyId }, issuedAt)
    },

    async issueEmailChange({ teamId, email }) {
      const verifyId = randomId()
      await mark(verifyId)
      return tokens.issueVerify({ kind: 'update', verifyId, teamId, email })
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
        // The database was away, not the token wrong: the link must work when it is clicked again. What the work
        // may have committed all the same refuses a second time by itself.
        await place.set(keyOf(verifyId), '1', loginTimeoutMs).catch(() => {})
        throw error
      }
    },
  }
}

/** Where the marker was, which is gone now. */
async function takeFromOne(places: readonly Markers[], key: string): Promise<Markers | null> {
  for (const place of places) if ((await place.take(key)) !== null) return place
  return null
}

function keyOf(verifyId: string): string {
  return `login:${verifyId}`
}
