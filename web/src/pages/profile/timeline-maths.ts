/** A stretch of time, Unix milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** What people count time in. */
const STEPS = [
  ...[15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS),
]
const MOST_STEPS = 5

/** A closer look than this tells nothing more. */
const SHORTEST_MS = MINUTE_MS

/** Where an instant lies: 0 at the beginning of the range, 1 at its end. */
export function shareOf(at: number, { from, to }: Range): number {
  return (at - from) / Math.max(1, to - from)
}

export function momentAt(share: number, { from, to }: Range): number {
  return from + share * (to - from)
}

/** A range within the whole, of the same length where it fits, and never too short to see. */
export function fitted({ from, to }: Range, whole: Range): Range {
  const length = Math.min(Math.max(to - from, SHORTEST_MS), whole.to - whole.from)
  const start = Math.min(Math.max(from, whole.from), whole.to - length)
  return { from: start, to: start + length }
}

/** Shows more (above 1) or less time, around an instant that keeps its place. */
export function zoomed(range: Range, factor: number, around: number): Range {
  const share = shareOf(around, range)
  const length = (range.to - range.from) * factor
  return { from: around - share * length, to: around + (1 - share) * length }
}

/** Later by a share of what is shown; earlier when negative. */
export function moved({ from, to }: Range, share: number): Range {
  const by = share * (to - from)
  return { from: from + by, to: to + by }
}

/** The same stretch, moved just so far that the instant is in it. */
export function showing(range: Range, at: number): Range {
  const share = shareOf(at, range)
  if (share >= 0 && share <= 1) return range
  return moved(range, share - 0.5)
}

/** Instants to name in a range, at round times since `zero`; with both ends at most six. */
export function ticksOf({ from, to }: Range, zero: number): number[] {
  const length = to - from
  const step = STEPS.find((each) => length / each <= MOST_STEPS) ?? length / MOST_STEPS
  const first = Math.ceil((from - zero) / step)
  const count = Math.floor((to - zero) / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => zero + (first + at) * step)
}
