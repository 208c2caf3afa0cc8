import type { Draft } from './draft.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * In a draft: seen from a time on, which is not said yet. The API takes no instant before 1970, so it never is one, and
 * unlike NaN it outlives being kept as JSON.
 */
export const NO_TIME = -1

export const VISIBILITIES = ['hidden', 'scheduled', 'now'] as const

export type Visibility = (typeof VISIBILITIES)[number]

type Release = Pick<Draft, 'hidden' | 'releaseTime'>

/** Hidden, seen at once, or from a time on: two stored fields as one choice. */
export function visibilityOf({ hidden, releaseTime }: Release): Visibility {
  if (hidden) return 'hidden'
  return releaseTime === null ? 'now' : 'scheduled'
}

/** Whether it would be seen from a time on that nobody has said. */
export function isTimeMissing({ hidden, releaseTime }: Release): boolean {
  return !hidden && releaseTime === NO_TIME
}

interface Times {
  /** Of the event, unix milliseconds, where it is known. */
  readonly start: number | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** What a choice changes. A time that was said once stays said. */
export function withVisibility(chosen: Visibility, { releaseTime }: Release, times: Times): Release {
  const said = releaseTime === NO_TIME ? null : releaseTime
  if (chosen === 'hidden') return { hidden: true, releaseTime: said }
  if (chosen === 'now') return { hidden: false, releaseTime: null }
  return { hidden: false, releaseTime: said ?? usualRelease(times) }
}

/** The start of the event, or an hour from now once that is nearer: never a time that is over. */
function usualRelease({ start = 0, now }: Times): number {
  return Math.max(start, Math.ceil((now + HOUR_MS) / MINUTE_MS) * MINUTE_MS)
}

/** Releases that are one press away, by the time after the start of the event. */
const QUICK = [
  { name: 'start', afterMs: 0 },
  { name: 'hour', afterMs: HOUR_MS },
  { name: 'sixHours', afterMs: 6 * HOUR_MS },
] as const

/** Those of them that are still to come. */
export function quickReleases({ start, now }: Times) {
  if (start === undefined) return []
  return QUICK.map(({ name, afterMs }) => ({ name, at: start + afterMs })).filter(({ at }) => at > now)
}
