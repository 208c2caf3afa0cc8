import { isPassing, kindOf } from './failure.ts'

const SECOND_MS = 1000

/** Site specification 2.3: until each try of its own, before a person must ask. */
const TROUBLE_MS = [1, 2, 5, 15].map((seconds) => seconds * SECOND_MS)
/** Specification 4.3: the browser's clock was ahead. */
const TOO_EARLY_MS = [1, 2, 4].map((seconds) => seconds * SECOND_MS)

/**
 * How long a failed read waits until it is sent again, or null: not by itself.
 * @param count of the tries that failed before this one.
 * @param chance from 0 to 1.
 */
export function retryAfter(error: unknown, count: number, chance: number): number | null {
  const waits = kindOf(error) === 'badNotStarted' ? TOO_EARLY_MS : isPassing(error) ? TROUBLE_MS : []
  const waitMs = waits[count]
  return waitMs === undefined ? null : waitMs * (0.8 + 0.4 * chance)
}
