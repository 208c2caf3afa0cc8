import { REPLAY_STEP_MS } from '@pennant/contract/replay.ts'

/** So many that the movement looks continuous, and so few that the server keeps all of them rendered. */
const MAX_STEPS = 240

interface Period {
  readonly from: number
  readonly until: number
}

/** The time between two positions of the slider, in milliseconds: the same for all viewers of an event. */
export function stepOf({
  startTime,
  endTime,
}: {
  readonly startTime: number
  readonly endTime: number
}): number {
  const least = Math.max(0, endTime - startTime) / MAX_STEPS
  return Math.max(1, Math.ceil(least / REPLAY_STEP_MS)) * REPLAY_STEP_MS
}

/** The last position of the slider; the first is 0. */
export function lastPosition({ from, until }: Period, stepMs: number): number {
  return Math.max(0, Math.ceil((until - from) / stepMs))
}

/** The time of a position. The last one is the end of the period. */
export function timeAt(position: number, period: Period, stepMs: number): number {
  return Math.min(period.until, period.from + Math.max(0, position) * stepMs)
}

/** The position that shows a time. */
export function positionOf(time: number, period: Period, stepMs: number): number {
  if (time >= period.until) return lastPosition(period, stepMs)
  return Math.max(0, Math.floor((time - period.from) / stepMs))
}
