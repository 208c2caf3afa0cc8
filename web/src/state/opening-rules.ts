import { fnv1a } from '../ui/marks/categories.ts'

// Who asks when, around the start and the end (site specification 4.3). Instants are the server's, Unix milliseconds.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Team mates ask at the same moment, so that nobody gains by reloading. */
const TEAM_SPREAD_MS = 1500
const VISITOR_SPREAD_MS = 4000
/** Everything but the list of challenges follows so long after the start. */
const LATER_FROM_MS = 5 * SECOND_MS
const LATER_SPREAD_MS = 15 * SECOND_MS
const END_SPREAD_MS = 5 * SECOND_MS
/** Around the start nothing is asked for again by itself: 10 seconds before to 60 after, and what clocks may differ. */
const QUIET_BEFORE_MS = 13 * SECOND_MS
const QUIET_AFTER_MS = 63 * SECOND_MS
const PREPARE_FROM_MS = 10 * MINUTE_MS
const PREPARE_UNTIL_MS = MINUTE_MS
/** For whoever comes in the last minute. */
const PREPARE_LATE_MS = 5 * SECOND_MS

/** So long after the start a page that has nothing yet says that it opens. */
export const OPENING_MS = LATER_FROM_MS + LATER_SPREAD_MS

/** Whom the moment is drawn for: a team, or a browser in which nobody is signed in. */
export interface Asker {
  readonly kind: 'team' | 'visitor'
  readonly id: string
}

/** When the list of challenges is asked for. */
export function firstTurnAt(startTime: number, { kind, id }: Asker): number {
  const spread = kind === 'team' ? TEAM_SPREAD_MS : VISITOR_SPREAD_MS
  return startTime + (fnv1a(`${id} ${startTime}`) % (spread + 1))
}

/** When the rest follows. `chance` from 0 to 1, here as below. */
export function laterTurnAt(startTime: number, chance: number): number {
  return startTime + LATER_FROM_MS + chance * LATER_SPREAD_MS
}

export function endTurnAt(endTime: number, chance: number): number {
  return endTime + chance * END_SPREAD_MS
}

/** When to fetch what the start will need, and to look whether it moved; null when it has begun. */
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

/** A refresh that falls into the rush waits until it is over, and spreads then over its whole interval. */
export function outsideRush(startTime: number, { dueAt, everyMs, chance }: Refresh): number {
  const isInside = dueAt >= startTime - QUIET_BEFORE_MS && dueAt <= startTime + QUIET_AFTER_MS
  return isInside ? startTime + QUIET_AFTER_MS + chance * everyMs : dueAt
}
