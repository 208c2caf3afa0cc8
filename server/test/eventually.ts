import { vi } from 'vitest'

/** Longer than a busy machine ever needs: what is waited for comes within milliseconds, or not at all. */
const LIMIT_MS = 60_000

/** Runs the check until it passes, and gives what it gave. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT_MS, interval: 10 })
}
