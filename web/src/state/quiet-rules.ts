const SECOND_MS = 1000
/** After a 429 or 503 without `Retry-After`: doubling from the first to the last. */
const FIRST_MS = 5 * SECOND_MS
const LONGEST_MS = 60 * SECOND_MS

interface Refusal {
  /** What the server asks for; null: nothing. */
  readonly retryAfterMs: number | null
  /** Refusals in a row before this one. */
  readonly before: number
  /** From 0 to 1. */
  readonly chance: number
}

/** How long the reads of a tab leave a server alone that is short of room. Browsers must not come back together. */
export function quietAfter({ retryAfterMs, before, chance }: Refusal): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs + chance * SECOND_MS, LONGEST_MS)
  return chance * Math.min(FIRST_MS * 2 ** before, LONGEST_MS)
}
