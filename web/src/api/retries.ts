import { SECOND_MS } from '@pennant/contract/durations.ts'
import { isPassing, kindOf } from './failure.ts'

/** Delays before the automatic retries: docs/reference/site.md#automatic-retries */
const FAILED_MS = [1, 2, 5, 15].map((seconds) => seconds * SECOND_MS)
/** Delays after `badNotStarted`: the browser's clock was ahead. */
const TOO_EARLY_MS = [1, 2, 4].map((seconds) => seconds * SECOND_MS)

/**
 * Delay in milliseconds before a failed read is retried, or null for no automatic retry.
 * @param count of the attempts that failed before this one.
 * @param chance from 0 to 1.
 */
export function retryAfter(error: unknown, count: number, chance: number): number | null {
  const waits = kindOf(error) === 'badNotStarted' ? TOO_EARLY_MS : isPassing(error) ? FAILED_MS : []
  const waitMs = waits[count]
  return waitMs === undefined ? null : waitMs * (0.8 + 0.4 * chance)
}
