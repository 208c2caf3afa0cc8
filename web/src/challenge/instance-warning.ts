/** Before its end a team is told that an instance is about to stop. */
export const SOON_MS = 300_000

/** More than an event has challenges with instances; the oldest goes first. */
const MOST = 200
/** A browser's timer of more is over at once. */
const MOST_WAIT_MS = 2 ** 31 - 1

interface Due {
  /** When the warning is due, on the clock of `performance.now()`. */
  readonly at: number
  readonly tell: () => void
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Calls `tell` when the end of an instance comes near, on whatever page the reader is by then; what was awaited for the
 * same instance is not any more. Nothing is said of one that is that near already.
 */
export function awaitEnd(id: string, due: Due): void {
  const inMs = due.at - performance.now()
  if (inMs <= 0) return
  forgetEnd(id)
  const later = () => {
    waiting.delete(id)
    if (inMs > MOST_WAIT_MS) awaitEnd(id, due)
    else due.tell()
  }
  waiting.set(id, setTimeout(later, Math.min(inMs, MOST_WAIT_MS)))
  for (const oldest of waiting.keys()) if (waiting.size > MOST) forgetEnd(oldest)
}

/** Of an instance that does not run nothing is to be told. */
export function forgetEnd(id: string): void {
  clearTimeout(waiting.get(id))
  waiting.delete(id)
}
