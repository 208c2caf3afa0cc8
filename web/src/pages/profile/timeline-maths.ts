import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'

/** A time range, Unix milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Tick intervals, in round units of time. */
const STEPS = [
  ...[15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS),
]
const MAX_STEPS = 5

/** Minimum range; zooming in further shows no more detail. */
const SHORTEST_MS = MINUTE_MS

/** Position of an instant in the range, from 0 (start) to 1 (end). */
export function shareOf(at: number, { from, to }: Range): number {
  return (at - from) / Math.max(1, to - from)
}

export function timeAt(share: number, { from, to }: Range): number {
  return from + share * (to - from)
}

/** Clamps a range to the whole, keeping its length if possible and at least the minimum length. */
export function fitted({ from, to }: Range, whole: Range): Range {
  const length = Math.min(Math.max(to - from, SHORTEST_MS), whole.to - whole.from)
  const start = Math.min(Math.max(from, whole.from), whole.to - length)
  return { from: start, to: start + length }
}

/** Zooms out (factor above 1) or in, keeping `around` at the same position. */
export function zoomed(range: Range, factor: number, around: number): Range {
  const share = shareOf(around, range)
  const length = (range.to - range.from) * factor
  return { from: around - share * length, to: around + (1 - share) * length }
}

/** Shifts the range by a share of its length; negative for earlier. */
export function moved({ from, to }: Range, share: number): Range {
  const by = share * (to - from)
  return { from: from + by, to: to + by }
}

/** Shifts the range as little as possible so that it contains the instant. */
export function showing(range: Range, at: number): Range {
  const share = shareOf(at, range)
  if (share >= 0 && share <= 1) return range
  return moved(range, share - 0.5)
}

interface Mark {
  /** Pixels from the left edge. */
  readonly at: number
  readonly width: number
}

/**
 * Positions at which marks, in ascending order, do not overlap: each is moved to the right as far as needed, and those
 * within `room` not beyond its end.
 */
export function spread(marks: readonly Mark[], room: number): number[] {
  let end = -Infinity
  const pushed = marks.map(({ at, width }) => {
    const place = Math.max(at, end)
    end = place + width
    return place
  })
  let limit = room
  return pushed
    .toReversed()
    .map((place, index) => {
      const { at, width } = marks[marks.length - 1 - index] ?? { at: 0, width: 0 }
      if (at > room) return place
      const back = Math.min(place, limit - width)
      limit = back
      return back
    })
    .toReversed()
}

/** Tick positions at round times relative to `zero`; at most six including both ends. */
export function ticksOf({ from, to }: Range, zero: number): number[] {
  const length = to - from
  const step = STEPS.find((each) => length / each <= MAX_STEPS) ?? length / MAX_STEPS
  const first = Math.ceil((from - zero) / step)
  const count = Math.floor((to - zero) / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => zero + (first + at) * step)
}
