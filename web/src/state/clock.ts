import { useSyncExternalStore } from 'react'

/** Of so many answers the one that was fastest tells the time best. */
const SAMPLES = 8
const SECOND_MS = 1000

interface Sample {
  readonly offsetMs: number
  readonly tripMs: number
}

let samples: readonly Sample[] = []
let offsetMs = 0

/**
 * Learns from an answer's `Date` header, which is whole seconds, cut off: half a second is added.
 * @param sentAt of the browser's clock, Unix milliseconds, as `receivedAt`.
 */
export function learnServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told)) return
  const middle = (sentAt + receivedAt) / 2
  const sample = { offsetMs: told + SECOND_MS / 2 - middle, tripMs: receivedAt - sentAt }
  samples = [...samples, sample].slice(-SAMPLES)
  const best = samples.reduce((least, each) => (each.tripMs < least.tripMs ? each : least))
  // Below a second the header says nothing more: a clock that was right stays as it is.
  offsetMs = Math.abs(best.offsetMs) < SECOND_MS / 2 ? 0 : best.offsetMs
}

/** The server's time, Unix milliseconds. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Browser minus server, milliseconds: organisers are told when it is large. */
export function clockDifferenceMs(): number {
  return -offsetMs
}

const listeners = new Set<() => void>()
let tick = wholeSecond()
let timer: ReturnType<typeof setTimeout> | undefined

function wholeSecond(): number {
  return Math.floor(serverNow() / SECOND_MS) * SECOND_MS
}

function beat(): void {
  tick = wholeSecond()
  for (const listener of listeners) listener()
  schedule()
}

/** At the next full second, as long as somebody looks. */
function schedule(): void {
  clearTimeout(timer)
  timer = undefined
  if (listeners.size === 0 || document.hidden) return
  const rest = serverNow() % SECOND_MS
  timer = setTimeout(beat, SECOND_MS - rest + 1)
}

/** Follows the shared second. Tells at once when a hidden tab is looked at again. */
export function subscribeSeconds(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', beat)
  listeners.add(listener)
  if (timer === undefined) schedule()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', beat)
    schedule()
  }
}

/** The server's time in whole seconds, Unix milliseconds; renders each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribeSeconds, () => {
    // Nobody was looking: the last beat may be long ago.
    if (listeners.size === 0) tick = wholeSecond()
    return tick
  })
}

/** Something that the time decides; renders only when it changes. The result must be comparable by `Object.is`. */
export function useTimed<T>(decide: (now: number) => T): T {
  return useSyncExternalStore(subscribeSeconds, () => decide(serverNow()))
}
