import { pause } from './pause.ts'
import { quietAfter } from './quiet-rules.ts'
import { createStore, useStore } from './store.ts'

/** One lost request may be chance. */
const LOST_TO_BE_OFFLINE = 2

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
  const quietMs = quietAfter({ retryAfterMs, before: refused, chance: Math.random() })
  refused += 1
  pausedUntil = Math.max(pausedUntil, Date.now() + quietMs)
}

/** Resolves when reads may be sent. Rejects when the signal aborts. */
export async function roomToAsk(signal: AbortSignal | undefined): Promise<void> {
  await pause(pausedUntil - Date.now(), signal)
}

/** Changes when the server goes away, and when it is back. */
export const subscribeOffline = offline.subscribe

export function isOffline(): boolean {
  return offline.read()
}

export function useIsOffline(): boolean {
  return useStore(offline)
}

const nextTry = createStore(0)

/** A failed read will be sent again so much later, by itself. */
export function noteNextTry(inMs: number): void {
  const at = Math.max(Date.now() + inMs, pausedUntil)
  // Of several the soonest.
  if (nextTry.read() < Date.now() || at < nextTry.read()) nextTry.set(at)
}

/** When something will be tried again by itself, the browser's clock; may be past. */
export function useNextTry(): number {
  return useStore(nextTry)
}
