/** A team is warned this long before an instance stops. */
export const SOON_MS = 300_000

/** More than an event has challenges with instances; the oldest is dropped first. */
const MOST = 200
/** Browsers fire a timer with a longer delay immediately. */
const MAX_WAIT_MS = 2 ** 31 - 1

interface Due {
  /** When the warning is due, in the time of `performance.now()`. */
  readonly at: number
  readonly warn: () => void
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Calls `warn` shortly before the end of an instance, whichever page is open by then; replaces an earlier
 * warning for the same instance. No warning if the end is already that close.
 */
export function awaitEnd(id: string, due: Due): void {
  const inMs = due.at - performance.now()
  if (inMs <= 0) return
  forgetEnd(id)
  const later = () => {
    waiting.delete(id)
    if (inMs > MAX_WAIT_MS) awaitEnd(id, due)
    else due.warn()
  }
  waiting.set(id, setTimeout(later, Math.min(inMs, MAX_WAIT_MS)))
  for (const oldest of waiting.keys()) if (waiting.size > MOST) forgetEnd(oldest)
}

/** Cancels the warning of an instance that no longer runs. */
export function forgetEnd(id: string): void {
  clearTimeout(waiting.get(id))
  waiting.delete(id)
}
