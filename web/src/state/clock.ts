import { useSyncExternalStore } from 'react'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { offsetFrom, sampleOf, withSample, type Sample } from './clock-rules.ts'

const LONGEST_TRIP_MS = 5 * SECOND_MS

let samples: readonly Sample[] = []
let offsetMs = 0

/**
 * Updates the clock offset from the headers of a response.
 * @param sentAt browser's clock, Unix milliseconds; so is `receivedAt`.
 */
export function learnServerTime(headers: Headers, sentAt: number, receivedAt: number): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  // A response that waited at the server says little, and would displace the samples that say more.
  if (receivedAt - sentAt > LONGEST_TRIP_MS && samples.length > 0) return
  const ageS = Number.parseInt(headers.get('age') ?? '0', 10) || 0
  samples = withSample(samples, sampleOf({ date, ageS, sentAt, receivedAt }))
  offsetMs = offsetFrom(samples)
}

/** The server's time, Unix milliseconds. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Browser time minus server time in milliseconds: organisers get a notice if it is large. */
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

/** Schedules the next tick at the next full second while the tab is visible. */
function schedule(): void {
  clearTimeout(timer)
  timer = undefined
  if (listeners.size === 0 || document.hidden) return
  const rest = serverNow() % SECOND_MS
  timer = setTimeout(beat, SECOND_MS - rest + 1)
}

/** Subscribes to the shared one-second tick. Notifies immediately when a hidden tab becomes visible. */
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

/** The server's time in whole seconds, Unix milliseconds; renders every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribeSeconds, () => {
    // Without subscribers there were no ticks, so the last one may be old.
    if (listeners.size === 0) tick = wholeSecond()
    return tick
  })
}

/** A value derived from the time; renders only when it changes. Values are compared by `Object.is`. */
export function useTimed<T>(decide: (now: number) => T): T {
  return useSyncExternalStore(subscribeSeconds, () => decide(serverNow()))
}

/** The time as of which `at` is so many whole minutes old, for texts like "3 minutes ago"; renders once a minute. */
export function useMinutesAfter(at: number): number {
  return useTimed((now) => at + Math.max(0, Math.floor((now - at) / MINUTE_MS)) * MINUTE_MS)
}
