import { fnv1a } from '../../fnv1a.ts'
import type { Category } from './categories.ts'

/** Widths in pixels below which a charge, a digit and the fold are left out. */
export const BELOW = { charge: 15, digit: 11, fold: 12 } as const

/** The figures that tell categories apart without colour, by category; others take one by a hash. */
const CHARGES = ['web', 'crypto', 'pwn', 'rev', 'forensics', 'osint', 'misc', 'blockchain'] as const
export type Charge = (typeof CHARGES)[number]

/** The charge of a category: its own, or one by the hash of its slug. */
export function chargeOf({ slug }: Category): Charge {
  return CHARGES.find((name) => name === slug) ?? CHARGES[fnv1a(slug) % CHARGES.length] ?? 'web'
}

const at = (value: number) => String(Math.round(value * 10) / 10)

/** A triangle that hangs from its upper edge; `half` is half of its width. */
export function pennantPath(half: number, height: number): string {
  return `M${at(-half)} 0H${at(half)}L0 ${at(height)}Z`
}

/** The darker side of a pennant. */
export function foldPath(half: number, height: number): string {
  return `M${at(half * 0.36)} 0H${at(half)}L0 ${at(height)}Z`
}

/** A cloth with a notch from below. */
export function swallowtailPath(half: number, height: number): string {
  const [side, notch] = [at(height * 0.98), at(height * 0.72)]
  return `M${at(-half)} 0H${at(half)}V${side}L0 ${notch}L${at(-half)} ${side}Z`
}

/** The charge within the pennant of the same size. */
export function chargePath(charge: Charge, half: number, height: number): string {
  const y = (share: number) => at(height * share)
  const x = (share: number) => at(half * share)
  const band = (from: number, to: number) =>
    `M${x(from - 1)} ${y(from)}H${x(1 - from)}L${x(1 - to)} ${y(to)}H${x(to - 1)}Z`
  switch (charge) {
    case 'web':
      return band(0.18, 0.42)
    case 'crypto':
      return `M0 0H${x(1)}L0 ${y(1)}Z`
    case 'pwn':
      return `M${x(-0.5)} ${y(0.5)}H${x(0.5)}L0 ${y(1)}Z`
    case 'rev':
      return `M${x(-0.52)} ${y(0.12)}H${x(0.52)}L0 ${y(0.66)}Z`
    case 'forensics':
      return band(0.1, 0.2) + band(0.32, 0.42) + band(0.54, 0.64)
    case 'osint':
      return `M${x(-0.34)} ${y(0.28)}a${x(0.34)} ${x(0.34)} 0 1 0 ${x(0.68)} 0a${x(0.34)} ${x(0.34)} 0 1 0 ${x(-0.68)} 0Z`
    case 'misc':
      return `M${x(-0.24)} 0H${x(0.24)}V${y(0.76)}L0 ${y(1)}L${x(-0.24)} ${y(0.76)}Z`
    case 'blockchain':
      return `M${x(-1)} 0H0V${y(0.42)}H${x(-0.58)}ZM0 ${y(0.42)}H${x(0.58)}L0 ${y(1)}Z`
  }
}

/** A point of a cord: position in pixels and slope in degrees. */
interface Hook {
  readonly x: number
  readonly y: number
  readonly degrees: number
}

/** `count` points of a cord that hangs between the upper corners, `sag` pixels deep in the middle. */
export function hooksOf(count: number, { width, sag }: { width: number; sag: number }): Hook[] {
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 0.5) / count
    return {
      x: width * share,
      y: 4 * sag * share * (1 - share),
      degrees: (Math.atan((4 * sag * (1 - 2 * share)) / width) * 180) / Math.PI,
    }
  })
}

/** The most pennants on a single line; with more, there are two lines. */
const MAX_ON_A_LINE = 20

/** Splits the items of a bunting into one or two lines of about the same length. */
export function linesOf<Item>(items: readonly Item[], most: number = MAX_ON_A_LINE): (readonly Item[])[] {
  if (items.length <= most) return [items]
  const half = Math.ceil(items.length / 2)
  return [items.slice(0, half), items.slice(half)]
}
