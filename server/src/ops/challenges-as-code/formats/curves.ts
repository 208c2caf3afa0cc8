import { classicValue } from '../../../providers/scores/classic.ts'

// How other platforms lower the points of a challenge: docs/author/challenges-as-code.md

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** The points after a number of solves. */
export type Curve = (solves: number) => number

/** CTFd's `logarithmic`, which is a parabola that reaches the minimum at `decay` + 1 solves. */
export function ctfdLogarithmic({ min, max }: Bounds, decay: number): Curve {
  // CTFd divides by 1 instead of 0.
  const width = decay === 0 ? 1 : decay
  return (solves) => Math.max(min, Math.ceil(max + ((min - max) * before(solves) ** 2) / width ** 2))
}

/** CTFd's `linear`: `decay` points less for each solve. */
export function ctfdLinear({ min, max }: Bounds, decay: number): Curve {
  return (solves) => Math.max(min, Math.ceil(max - decay * before(solves)))
}

/** GZCTF's curve. `rate` is the share of the points that always remains. */
export function gzctf(
  original: number,
  { rate, difficulty }: { readonly rate: number; readonly difficulty: number },
): Curve {
  return (solves) => Math.floor(original * (rate + (1 - rate) * Math.exp(-before(solves) / difficulty)))
}

/** noCTF's `exponential`. */
export function noctfExponential(
  { min, max }: Bounds,
  { k, j }: { readonly k: number; readonly j: number },
): Curve {
  return (solves) => Math.round(min + (max - min) / (1 + (before(solves) / k) ** j))
}

/** Solves before the last one. */
function before(solves: number): number {
  return Math.max(solves - 1, 0)
}

const SHOWN_SOLVES = [1, 10, 50]

/** Why points will differ, with both values at a few numbers of solves. */
export function curveMessage(tool: string, bounds: Bounds, curve: Curve): string {
  const list = (of: Curve) => SHOWN_SOLVES.map(of).join(', ')
  const own = list((solves) => classicValue({ ...bounds, solves }))
  return (
    `the points fall along the curve of this site: at ${SHOWN_SOLVES.join(', ')} solves ` +
    `${list(curve)} in ${tool}, ${own} with scores/classic`
  )
}
