import { createStore, useStore } from './store.ts'

/** One lost request may be chance. */
const LOST_TO_BE_OFFLINE = 2
const SECOND_MS = 1000
/** After a 429 or 503 without `Retry-After`: doubling from the first to the last. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = 60 * SECOND_MS

const offline = createStore(!navigator.onLine)
let lost = 0
let refused = 0
let pausedUntil = 0

window.addEventListener('online', noteAnswer)
window.addEventListener('offline', () => offline.set(true))

/** Something came back. */
export function noteAnswer(): void {
  lost = 0
  offline.set(!navigator.onLine)
}

/** A request had no answer. */
export function noteLoss(): void {
  lost += 1
  if (lost >= LOST_TO_BE_OFFLINE) offline.set(true)
}

/** A read was taken: the server has room again. */
export function noteRoom(): void {
  refused = 0
}

/** The server asks for quiet (429, 503): all reads of this tab wait, at a random moment of the time it names. */
export function noteRefusal(retryAfterMs: number | null): void {
  const usual = Math.min(FIRST_PAUSE_MS * 2 ** refused, LONGEST_PAUSE_MS)
  refused += 1
  const pause = retryAfterMs === null ? Math.random() * usual : retryAfterMs + Math.random() * SECOND_MS
  pausedUntil = Math.max(pausedUntil, Date.now() + Math.min(pause, LONGEST_PAUSE_MS))
}

/** Resolves when reads may be sent. Rejects when the signal aborts. */
export async function roomToAsk(signal: AbortSignal | undefined): Promise<void> {
  const waitMs = pausedUntil - Date.now()
  if (waitMs <= 0) return
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

export function useIsOffline(): boolean {
  return useStore(offline)
}
