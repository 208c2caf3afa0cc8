import type { IncomingMessage } from 'node:http'

/** How long a caller may take to send a request. Whoever sends a byte a second ties up a connection for nothing. */
export interface TimeLimits {
  readonly headMs: number
  /** By how large the body may be. */
  readonly bodyMs: (cap: number) => number
  /** How often heads are looked at: a late one ends at the next look. */
  readonly lookMs: number
}

/** Slower than any line that a contest can be played on. */
const SLOWEST_BYTES_PER_S = 16 * 1024
/** What a small body has, for connections that stall. */
const GRACE_MS = 30_000

/** The longest that a timer can wait; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const usualTimeLimits: TimeLimits = {
  headMs: 60_000,
  bodyMs: (cap) => Math.min(GRACE_MS + Math.ceil((cap / SLOWEST_BYTES_PER_S) * 1000), LONGEST_TIMER_MS),
  lookMs: 10_000,
}

/** Ends the connection when the body has not come by then. What has come with the head needs no timer. */
export function endWhenLate(raw: IncomingMessage, limitMs: number): void {
  if (raw.complete) return
  const timer = setTimeout(() => raw.destroy(), limitMs).unref()
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}
