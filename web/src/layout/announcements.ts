const MINUTE_MS = 60_000

/** A moment that readers are told of. */
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

/** The latest moment that lies after one instant and not after another; null: none. */
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
