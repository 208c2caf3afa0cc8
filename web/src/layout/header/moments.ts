import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** A phase change that is announced to screen readers. */
export type Moment =
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
export function momentBetween(times: Times, last: number, now: number): Moment | null {
  const { startTime, endTime } = times
  const moments: readonly (readonly [at: number, moment: Moment])[] = [
    [startTime - 10 * MINUTE_MS, 'tenMinutesToStart'],
    [startTime - MINUTE_MS, 'oneMinuteToStart'],
    [startTime, 'started'],
    [endTime - 10 * MINUTE_MS, 'tenMinutesToEnd'],
    [endTime - MINUTE_MS, 'oneMinuteToEnd'],
    [endTime, 'over'],
  ]
  return moments.findLast(([at]) => at > last && at <= now)?.[1] ?? null
}
