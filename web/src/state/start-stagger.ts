import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { fnv1a } from '../fnv1a.ts'

// Spreads the requests around the start and the end: docs/reference/site.md#start-and-end. Times are the
// server's, in Unix milliseconds.

/** Teammates get the same delay, so that reloading gains nothing. */
const TEAM_SPREAD_MS = 1500
const VISITOR_SPREAD_MS = 4000
/** Everything except the challenge list follows this long after the start. */
const LATER_FROM_MS = 5 * SECOND_MS
const LATER_SPREAD_MS = 15 * SECOND_MS
const END_SPREAD_MS = 5 * SECOND_MS
/**
 * No automatic refetch around the start: from 10 seconds before to 60 after, plus a margin for clock
 * differences.
 */
const QUIET_BEFORE_MS = 13 * SECOND_MS
const QUIET_AFTER_MS = 63 * SECOND_MS
const PREPARE_FROM_MS = 10 * MINUTE_MS
const PREPARE_UNTIL_MS = MINUTE_MS
/** For visitors who arrive in the last minute. */
const PREPARE_LATE_MS = 5 * SECOND_MS

/** Until this long after the start, a page without data says that it is opening. */
export const OPENING_MS = LATER_FROM_MS + LATER_SPREAD_MS

/** The identity that the delay is derived from: the team, or the browser if no one is signed in. */
export interface Asker {
  readonly kind: 'team' | 'visitor'
  readonly id: string
}

/** When to request the challenge list. */
export function challengeListRefetchAt(startTime: number, { kind, id }: Asker): number {
  const spread = kind === 'team' ? TEAM_SPREAD_MS : VISITOR_SPREAD_MS
  return startTime + (fnv1a(`${id} ${startTime}`) % (spread + 1))
}

/** When to request the rest. `chance` is from 0 to 1, here and below. */
export function jitteredTime(startTime: number, chance: number): number {
  return startTime + LATER_FROM_MS + chance * LATER_SPREAD_MS
}

export function endRefetchAt(endTime: number, chance: number): number {
  return endTime + chance * END_SPREAD_MS
}

/** When to prefetch what the start needs and to check whether it moved; null if that time has passed. */
export function prepareAt(now: number, startTime: number, chance: number): number | null {
  if (now >= startTime) return null
  const from = Math.max(now, startTime - PREPARE_FROM_MS)
  const until = Math.max(startTime - PREPARE_UNTIL_MS, from + PREPARE_LATE_MS)
  return from + chance * (until - from)
}

interface Refresh {
  readonly dueAt: number
  readonly everyMs: number
  readonly chance: number
}

/** Moves a refresh that falls into the rush to after it, spread over a whole interval. */
export function outsideRush(startTime: number, { dueAt, everyMs, chance }: Refresh): number {
  const isInside = dueAt >= startTime - QUIET_BEFORE_MS && dueAt <= startTime + QUIET_AFTER_MS
  return isInside ? startTime + QUIET_AFTER_MS + chance * everyMs : dueAt
}
