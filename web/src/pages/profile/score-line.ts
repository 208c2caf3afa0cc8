import type { Solve } from './solve-rows.ts'

type Point = readonly [at: number, score: number]

interface Sample {
  readonly time: number
  readonly score: number
}

/** Time range of the line, Unix milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Whether there is a line to draw: without solves and samples it would be flat at zero. */
export function hasScored(
  { score, solves }: { readonly score: number; readonly solves: readonly unknown[] },
  samples: readonly Sample[] = [],
): boolean {
  return score !== 0 || solves.length > 0 || samples.some((sample) => sample.score !== 0)
}

/**
 * Builds the line from the graph samples, which are ordered newest first and can include the current,
 * unfinished interval.
 */
export function lineFromSamples(samples: readonly Sample[], span: Span): Point[] {
  return within(
    samples.toReversed().map(({ time, score }) => [time, score] as const),
    span,
  )
}

/** Builds the line from solves only, with the current value of each at the time it was solved. */
export function lineFromSolves(solves: readonly Solve[], span: Span): Point[] {
  let score = 0
  return within(
    solves
      .toSorted((left, right) => left.createdAt - right.createdAt)
      .map(({ createdAt, points }) => [createdAt, (score += points ?? 0)] as const),
    span,
  )
}

/** Starts at zero, extends to the end of the span, and drops later points. */
function within(points: readonly Point[], { from, to }: Span): Point[] {
  const last = points.at(-1)?.[1] ?? 0
  const inside = points.filter(([at]) => at < to)
  return [[Math.min(from, inside[0]?.[0] ?? from), 0], ...inside, [to, last]]
}
