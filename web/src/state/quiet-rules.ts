import { SECOND_MS } from '@pennant/contract/durations.ts'

/** Backoff after a 429 or 503 without `Retry-After`: doubles from the first value to the last. */
const FIRST_MS = 5 * SECOND_MS
const LONGEST_MS = 60 * SECOND_MS

interface Refusal {
  /** The `Retry-After` of the response; null if absent. */
  readonly retryAfterMs: number | null
  /** Consecutive refusals before this one. */
  readonly before: number
  /** From 0 to 1. */
  readonly chance: number
}

/**
 * How long a tab pauses its reads when the server is overloaded. Jittered, so that browsers do not return
 * together.
 */
export function backoffDelay({ retryAfterMs, before, chance }: Refusal): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs + chance * SECOND_MS, LONGEST_MS)
  return chance * Math.min(FIRST_MS * 2 ** before, LONGEST_MS)
}
