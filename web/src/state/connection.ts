import { pause } from './pause.ts'
import { backoffDelay } from './quiet-rules.ts'
import { createStore, useStore } from './store.ts'

/** A single lost request may be chance. */
const LOST_TO_BE_OFFLINE = 2

const offline = createStore(!navigator.onLine)
let lost = 0
let refused = 0
let pausedUntil = 0

window.addEventListener('online', recordResponse)
window.addEventListener('offline', () => offline.set(true))

/** A response arrived. */
export function recordResponse(): void {
  lost = 0
  offline.set(!navigator.onLine)
}

/** A request got no response. */
export function recordLoss(): void {
  lost += 1
  if (lost >= LOST_TO_BE_OFFLINE) offline.set(true)
}

/** The server accepted a read, so it has capacity again. */
export function markAvailable(): void {
  refused = 0
}

/**
 * The server is overloaded (429, 503): all reads of this tab pause for a random delay within the time it
 * names.
 */
export function recordRefusal(retryAfterMs: number | null): void {
  const quietMs = backoffDelay({ retryAfterMs, before: refused, chance: Math.random() })
  refused += 1
  pausedUntil = Math.max(pausedUntil, Date.now() + quietMs)
}

/** Resolves when reads may be sent. Rejects when the signal aborts. */
export async function roomToAsk(signal: AbortSignal | undefined): Promise<void> {
  await pause(pausedUntil - Date.now(), signal)
}

/** Notifies when the server becomes unreachable and when it is back. */
export const subscribeOffline = offline.subscribe

export function isOffline(): boolean {
  return offline.read()
}

export function useIsOffline(): boolean {
  return useStore(offline)
}

const nextTry = createStore(0)

/** A failed read will be retried automatically after this delay. */
export function recordNextTry(inMs: number): void {
  const at = Math.max(Date.now() + inMs, pausedUntil)
  // Keep the earliest.
  if (nextTry.read() < Date.now() || at < nextTry.read()) nextTry.set(at)
}

/** Time of the next automatic retry, browser's clock; may be in the past. */
export function useNextTry(): number {
  return useStore(nextTry)
}
