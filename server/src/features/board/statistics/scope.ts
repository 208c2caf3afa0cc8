import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { STATISTICS_PERIODS, STATISTICS_ROWS } from '@pennant/contract/statistics.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'

/** What is counted: the part of the event that has passed, and the challenges that the reader may see. */
export interface Scope {
  readonly from: number
  /** Now or the end. Solves and submissions count until `endTime`, also by a database clock that is ahead. */
  readonly until: number
  readonly endTime: number
  readonly periodMs: number
  /** At least 1. Before the start, solves of organisers who test are in the first one. */
  readonly periods: number
  /** The first periods, in which a team is early. */
  readonly earlyPeriods: number
  /** Periods in a period of the retention. */
  readonly stride: number
  /** Public challenges that are solved with flags, in the order of the list. */
  readonly challenges: readonly Challenge[]
}

/** The retention is read as a whole, so it has fewer periods than the plot of solves. */
const RETENTION_PERIODS = 24
/** The first hours of an event: a part of it, but not more than this. */
const EARLY_SHARE = 1 / 8
const MAX_EARLY_MS = 6 * HOUR_MS

/** `world`: as the reader may see it. */
export function scopeOf(world: WorldView, now: number): Scope {
  const { startTime: from, endTime } = world
  const until = Math.max(from, Math.min(now, endTime))
  const periodMs = Math.max(1, Math.ceil((until - from) / STATISTICS_PERIODS / MINUTE_MS)) * MINUTE_MS
  const periods = Math.max(1, Math.ceil((until - from) / periodMs))
  const earlyMs = Math.min(MAX_EARLY_MS, (endTime - from) * EARLY_SHARE)
  return {
    from,
    until,
    endTime,
    periodMs,
    periods,
    earlyPeriods: Math.min(periods, Math.max(1, Math.round(earlyMs / periodMs))),
    stride: Math.ceil(periods / RETENTION_PERIODS),
    challenges: world
      .publicChallenges()
      .filter(({ scoringKind }) => scoringKind !== 'dynamic')
      .slice(0, STATISTICS_ROWS),
  }
}

/** When teams could first solve the challenge. */
export function openedAt({ from }: Scope, { releaseAt }: Challenge): number {
  return Math.max(from, releaseAt ?? from)
}
