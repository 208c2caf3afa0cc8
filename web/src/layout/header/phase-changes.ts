import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** A phase change that is announced to screen readers. */
export type PhaseChange =
  | 'tenMinutesToStart'
  | 'oneMinuteToStart'
  | 'started'
  | 'tenMinutesToEnd'
  | 'oneMinuteToEnd'
  | 'over'

interface Times {
  readonly startTime: number
  readonly endTime: number
}

/** The latest phase change after `last` and not after `now`, or null. */
export function phaseChangeBetween(times: Times, last: number, now: number): PhaseChange | null {
  const { startTime, endTime } = times
  const changes: readonly (readonly [at: number, change: PhaseChange])[] = [
    [startTime - 10 * MINUTE_MS, 'tenMinutesToStart'],
    [startTime - MINUTE_MS, 'oneMinuteToStart'],
    [startTime, 'started'],
    [endTime - 10 * MINUTE_MS, 'tenMinutesToEnd'],
    [endTime - MINUTE_MS, 'oneMinuteToEnd'],
    [endTime, 'over'],
  ]
  return changes.findLast(([at]) => at > last && at <= now)?.[1] ?? null
}
