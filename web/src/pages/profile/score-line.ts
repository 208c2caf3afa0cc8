import type { Solve } from './solve-order.ts'

type Point = readonly [at: number, score: number]

interface Sample {
  readonly time: number
  readonly score: number
}

/** Between which moments a line is drawn, Unix milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Whether there is a line to draw: without solves and samples it would run along the bottom. */
export function hasScored(
  { score, solves }: { readonly score: number; readonly solves: readonly unknown[] },
  samples: readonly Sample[] = [],
): boolean {
  return score !== 0 || solves.length > 0 || samples.some((sample) => sample.score !== 0)
}

/** From the graph's samples, which stand newest first and may lie in a step of time that is not over yet. */
export function lineFromSamples(samples: readonly Sample[], span: Span): Point[] {
  return within(
    samples.toReversed().map(({ time, score }) => [time, score] as const),
    span,
  )
}

/** From the solves alone: what each is worth today, from the moment it was solved. */
export function lineFromSolves(solves: readonly Solve[], span: Span): Point[] {
  let score = 0
  return within(
    solves
      .toSorted((left, right) => left.createdAt - right.createdAt)
      .map(({ createdAt, points }) => [createdAt, (score += points ?? 0)] as const),
    span,
  )
}

/** Begins with nothing and lasts until the end of the span; nothing lies after it. */
function within(points: readonly Point[], { from, to }: Span): Point[] {
  const last = points.at(-1)?.[1] ?? 0
  const inside = points.filter(([at]) => at < to)
  return [[Math.min(from, inside[0]?.[0] ?? from), 0], ...inside, [to, last]]
}
