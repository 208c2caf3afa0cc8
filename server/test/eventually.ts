import { vi } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** Generous even for a busy machine: the condition is met within milliseconds or never. */
const LIMIT_MS = MINUTE_MS

/** Retries the check until it passes and returns its result. A rate-limited route needs a longer interval. */
export function eventually<T>(check: () => T | Promise<T>, interval = 10): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT_MS, interval })
}
