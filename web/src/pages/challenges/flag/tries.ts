// Local estimate of the server's token bucket. The real one may have fewer tokens, because teammates submit
// too.

const MAX_TRIES = 5
const BACK_EVERY_MS = 5_000

/** Known attempts on one challenge. Times are server clock, Unix milliseconds. */
export interface Tries {
  /** When the bucket is full again. */
  readonly fullAt: number
  /** Until then the server rejects attempts. */
  readonly waitUntil: number
  /** Total length of that wait when it was reported. */
  readonly waitMs: number
}

export const freshTries: Tries = { fullAt: 0, waitUntil: 0, waitMs: 0 }

export function triesLeft({ fullAt }: Tries, now: number): number {
  return Math.max(0, MAX_TRIES - Math.ceil(Math.max(0, fullAt - now) / BACK_EVERY_MS))
}

/** Takes one token. */
export function withTry(tries: Tries, now: number): Tries {
  const fullAt = Math.max(tries.fullAt, now) + BACK_EVERY_MS
  return { ...tries, fullAt: Math.min(fullAt, now + MAX_TRIES * BACK_EVERY_MS) }
}

/** Applies a rate-limit response: the next attempt is possible in `timeLeft` milliseconds. */
export function withWait(timeLeft: number, now: number): Tries {
  const othersMs = (MAX_TRIES - 1) * BACK_EVERY_MS
  return { fullAt: now + timeLeft + othersMs, waitUntil: now + timeLeft, waitMs: timeLeft }
}

export const maxTries = MAX_TRIES
