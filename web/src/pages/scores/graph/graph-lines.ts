import type { Line } from '../../../ui/plots/draw.ts'

/** Position and size of the drawing area, in its own pixels. */
interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Placed {
  readonly name: string
  readonly isOwn: boolean
  /** SVG path in steps: a score is constant until it changes. */
  readonly path: string
  /** Y coordinate of the line's end. */
  readonly endY: number
}

/** Converts score lines to paths in a box, on common scales. The time axis ends now. */
export function placeLines(lines: readonly Line[], now: number, box: Box): Placed[] {
  const points = lines.flatMap((line) => line.points)
  const first = Math.min(...points.map(([x]) => x), now)
  const highest = Math.max(1, ...points.map(([, y]) => y))
  const x = (at: number) =>
    round(box.left + (box.width * (Math.min(at, now) - first)) / Math.max(1, now - first))
  const y = (score: number) => round(box.top + box.height * (1 - score / highest))
  return lines.map(({ name, isOwn = false, points: own }) => {
    const steps = own.map(([at, score], index) =>
      index === 0 ? `M${x(at)} ${y(score)}` : `H${x(at)}V${y(score)}`,
    )
    const end = own.at(-1)?.[1] ?? 0
    return { name, isOwn, path: own.length === 0 ? '' : `${steps.join('')}H${x(now)}`, endY: y(end) }
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
