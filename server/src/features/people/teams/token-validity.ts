import sql, { type Sql } from 'sql-template-tag'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { ChangeTransaction } from '../../../db/database.ts'

/**
 * Tokens contain the issuer's clock in whole seconds. The validity start is set this far in the future, so
 * that tokens from a process whose clock is up to a minute fast become void too. New tokens are dated at that
 * time (decision 0021).
 */
const CLOCK_TOLERANCE_MS = MINUTE_MS

/**
 * SQL assignment that voids all tokens of the updated `teams` rows. The new time is at least one second after
 * any existing token, even if the previous call was in the same second.
 */
export function voidTokens(now: number): Sql {
  const second = Math.floor((now + CLOCK_TOLERANCE_MS) / 1000) + 1
  return sql`tokens_valid_from = greatest(to_timestamp(${second}::float8), tokens_valid_from + interval '1 second')`
}

/** The validity start of a row as stored in the world: Unix milliseconds, 0 for none. */
export const tokensValidFrom = sql`coalesce(extract(epoch from tokens_valid_from) * 1000, 0)::float8 as "tokensValidFrom"`

interface SignOut {
  readonly id: string
  readonly now: number
  /**
   * Issue time of the token that makes the request. A token that has been voided meanwhile must not get new
   * ones: if two sessions sign each other out, the first succeeds.
   */
  readonly issuedAt?: number
}

/**
 * Voids all tokens of a team. Returns the time from which new tokens are valid; null if nothing was changed.
 */
export async function signOutEverywhere(
  tx: ChangeTransaction,
  { id, now, issuedAt = Infinity }: SignOut,
): Promise<number | null> {
  const [before] = await tx.query<{ tokensValidFrom: number }>(
    sql`select ${tokensValidFrom} from teams where id = ${id}`,
  )
  if (!before || issuedAt < before.tokensValidFrom) return null
  const [row] = await tx.query<{ tokensValidFrom: number }>(
    sql`update teams set ${voidTokens(now)} where id = ${id} returning ${tokensValidFrom}`,
  )
  tx.changed('teams', [id])
  return row?.tokensValidFrom ?? null
}

/** Whether the team's own token is refused: the team switched it off, or only people sign in, except as organisers. */
export function isOwnTokenRefused(
  { tokenOff = false, perms = 0 }: { readonly tokenOff?: boolean; readonly perms?: number },
  isPersonRequired: boolean,
): boolean {
  return tokenOff || (isPersonRequired && perms === 0)
}
