import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Draft } from '../draft.ts'

/**
 * Draft value for a scheduled release without a time yet. It cannot collide with a real time, because the API
 * rejects times before 1970, and unlike NaN it survives JSON serialization.
 */
export const NO_TIME = -1

export const VISIBILITIES = ['hidden', 'scheduled', 'now'] as const

export type Visibility = (typeof VISIBILITIES)[number]

export const VISIBILITY_ICONS = { hidden: 'lock', scheduled: 'clock', now: 'eye' } as const

type Release = Pick<Draft, 'hidden' | 'releaseTime'>

/** Hidden, visible now, or visible from a release time: one choice for two stored fields. */
export function visibilityOf({ hidden, releaseTime }: Release): Visibility {
  if (hidden) return 'hidden'
  return releaseTime === null ? 'now' : 'scheduled'
}

/** Whether the release is scheduled but has no time yet. */
export function isTimeMissing({ hidden, releaseTime }: Release): boolean {
  return !hidden && releaseTime === NO_TIME
}

interface Times {
  /** Start of the event in Unix milliseconds, if known. */
  readonly start: number | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** Applies the chosen visibility. A release time that was set before is kept. */
export function withVisibility(chosen: Visibility, { releaseTime }: Release, times: Times): Release {
  const said = releaseTime === NO_TIME ? null : releaseTime
  if (chosen === 'hidden') return { hidden: true, releaseTime: said }
  if (chosen === 'now') return { hidden: false, releaseTime: null }
  return { hidden: false, releaseTime: said ?? usualRelease(times) }
}

/** Defaults to the start of the event, or to one hour from now if the start is sooner. Never in the past. */
function usualRelease({ start = 0, now }: Times): number {
  return Math.max(start, Math.ceil((now + HOUR_MS) / MINUTE_MS) * MINUTE_MS)
}

/** Release times that one click sets, as offsets from the start of the event. */
const QUICK = [
  { name: 'start', afterMs: 0 },
  { name: 'hour', afterMs: HOUR_MS },
  { name: 'sixHours', afterMs: 6 * HOUR_MS },
] as const

/** Returns those that are still in the future. */
export function quickReleases({ start, now }: Times) {
  if (start === undefined) return []
  return QUICK.map(({ name, afterMs }) => ({ name, at: start + afterMs })).filter(({ at }) => at > now)
}
