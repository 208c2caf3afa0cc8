export interface ScorePoint {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly score: number
}

/** Maximum number of steps of a small line: more would not be distinguishable. */
export const MOST_STEPS = 26

/** The score at 27 moments from `from` to `to`, the ends of 26 equal steps. Zero before the first point. */
export function sampledScores(
  points: readonly ScorePoint[],
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  let at = 0
  let score = 0
  return Array.from({ length: MOST_STEPS + 1 }, (_, step) => {
    const moment = from + ((to - from) * step) / MOST_STEPS
    for (let next = points[at]; next && next.time <= moment; next = points[at]) {
      score = next.score
      at += 1
    }
    return score
  })
}

interface Frame {
  readonly width: number
  readonly height: number
  /** Room for the dot at the end and above the line, in pixels. */
  readonly edge: number
}

/** A stepped path of the values from left to right, and its last point. */
export function stepsPath(values: readonly number[], { width, height, edge }: Frame) {
  const most = Math.max(...values, 1)
  const x = (at: number) => round(1 + (at * (width - 1 - edge)) / Math.max(values.length - 1, 1))
  const y = (value: number) => round(height - 2 - (Math.max(value, 0) / most) * (height - 2 - edge))
  const steps = values.slice(1).map((value, at) => `H${x(at + 1)}V${y(value)}`)
  return {
    path: `M1 ${y(values[0] ?? 0)}${steps.join('')}`,
    end: { x: x(values.length - 1), y: y(values.at(-1) ?? 0) },
  }
}

const round = (value: number) => Math.round(value * 10) / 10
