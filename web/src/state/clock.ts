import { useSyncExternalStore } from 'react'
import { offsetFrom, sampleOf, withSample, type Sample } from './clock-rules.ts'

const SECOND_MS = 1000

let samples: readonly Sample[] = []
let offsetMs = 0

/**
 * Learns from the headers of an answer.
 * @param sentAt of the browser's clock, Unix milliseconds, as `receivedAt`.
 */
export function learnServerTime(headers: Headers, sentAt: number, receivedAt: number): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  const ageS = Number.parseInt(headers.get('age') ?? '0', 10) || 0
  samples = withSample(samples, sampleOf({ date, ageS, sentAt, receivedAt }))
  offsetMs = offsetFrom(samples)
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
