// The server's bucket of tries, as far as this browser knows it: it may be emptier, for team mates try too.

const MOST_TRIES = 5
const BACK_EVERY_MS = 5_000

/** What is known of the tries on one challenge. Instants are of the server's clock, Unix milliseconds. */
export interface Tries {
  /** When all of them are back. */
  readonly fullAt: number
  /** Until then nothing is taken. */
  readonly waitUntil: number
  /** How long that wait was when it was told. */
  readonly waitMs: number
}

export const freshTries: Tries = { fullAt: 0, waitUntil: 0, waitMs: 0 }

export function triesLeft({ fullAt }: Tries, now: number): number {
  return Math.max(0, MOST_TRIES - Math.ceil(Math.max(0, fullAt - now) / BACK_EVERY_MS))
}

/** After one more. */
export function withTry(tries: Tries, now: number): Tries {
  const fullAt = Math.max(tries.fullAt, now) + BACK_EVERY_MS
  return { ...tries, fullAt: Math.min(fullAt, now + MOST_TRIES * BACK_EVERY_MS) }
}

/** After the server has said that it takes the next one in `timeLeft` milliseconds. */
export function withWait(timeLeft: number, now: number): Tries {
  const othersMs = (MOST_TRIES - 1) * BACK_EVERY_MS
  return { fullAt: now + timeLeft + othersMs, waitUntil: now + timeLeft, waitMs: timeLeft }
}

export const mostTries = MOST_TRIES
