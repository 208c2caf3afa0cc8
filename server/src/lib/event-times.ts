/** Unix milliseconds. */
export interface EventTimes {
  readonly startTime: number
  readonly endTime: number
}

/**
 * The start of an event that is not scheduled: later than any real one, and a valid `Date`, so that every
 * gate and client treats the event as not started.
 */
export const NOT_SCHEDULED = Date.UTC(9999, 0, 1)

type MaybeTimes = { readonly [K in keyof EventTimes]?: number | undefined }

const DEFAULT_LENGTH_MS = 48 * 60 * 60 * 1000

export function isScheduled({ startTime }: Pick<EventTimes, 'startTime'>): boolean {
  return startTime < NOT_SCHEDULED
}

/** The configured times, with defaults for those that are missing. */
export function configuredTimes({ startTime = NOT_SCHEDULED, endTime }: MaybeTimes): EventTimes {
  return { startTime, endTime: endTime ?? startTime + DEFAULT_LENGTH_MS }
}

/** What organisers stored about the freeze of the standings. */
interface StoredFreeze {
  readonly freezeTime?: number | undefined
  readonly resultsPublished?: boolean | undefined
}

/**
 * The latest time that participants see standings of; null if they see all: docs/reference/freeze.md. A freeze has no end but
 * the publication of the results.
 */
export function freezeTimeOf(configured: number | null | undefined, stored: StoredFreeze): number | null {
  return stored.resultsPublished === true ? null : (stored.freezeTime ?? configured ?? null)
}

/**
 * The times that organisers stored, or else the configured ones. Without a configured end, the event ends 48
 * hours after a stored start.
 */
export function effectiveTimes(defaults: EventTimes, stored: MaybeTimes): EventTimes {
  const startTime = stored.startTime ?? defaults.startTime
  const isEndConfigured = defaults.endTime < NOT_SCHEDULED
  const endTime = isEndConfigured ? defaults.endTime : startTime + DEFAULT_LENGTH_MS
  return { startTime, endTime: stored.endTime ?? endTime }
}
