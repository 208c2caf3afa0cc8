// Axes of plots that are drawn as SVG.

/** Steps between the lines of a linear axis, in powers of ten. */
const STEPS = [1, 2, 5, 10]

/** At most four steps from 0 to a round number that is not below `most`. */
export function linearTicks(most: number): number[] {
  const needed = Math.max(most, 4) / 4
  const power = 10 ** Math.floor(Math.log10(needed))
  const step = power * (STEPS.find((each) => each * power >= needed) ?? 10)
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, at) => at * step)
}

/** 1, 3, 10, 30 and so on, from the one at or below `least` to the one at or above `most`. */
export function logTicks(least: number, most: number): number[] {
  const ticks: number[] = []
  let power = 10 ** Math.floor(Math.log10(least))
  for (; power <= most * 10; power *= 10) ticks.push(power, power * 3)
  const first = ticks.findLastIndex((tick) => tick <= least)
  const last = ticks.findIndex((tick) => tick >= most)
  const shown = ticks.slice(Math.max(first, 0), last + 1)
  // One value alone has no axis.
  return shown.length > 1 ? shown : ticks.slice(Math.max(first, 0), last + 2)
}

/** The share of the axis, from 0 to 1, at which a value is. */
export function logShare(value: number, ticks: readonly number[]): number {
  const [first, last] = [Math.log(ticks[0] ?? 1), Math.log(ticks.at(-1) ?? 10)]
  return (Math.log(value) - first) / (last - first)
}
