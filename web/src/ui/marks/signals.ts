import { fnv1a } from '../../fnv1a.ts'

/** Twelve figures on a square of 28. */
export const FIGURES: readonly string[] = [
  'M0 0 18 14 0 28Z',
  'M0 0 28 28V0Z',
  'M0 0h14v28H0Z',
  'M0 0h28v14H0Z',
  'M0 0h5l9 9 9-9h5v5l-9 9 9 9v5h-5l-9-9-9 9H0v-5l9-9-9-9Z',
  'M0 0h9v28H0ZM19 0h9v28h-9Z',
  'M0 9.500h28v9H0Z',
  'M14 3 25 14 14 25 3 14Z',
  'M14 6a8 8 0 1 0 0 16 8 8 0 0 0 0-16',
  'M0 0h14v14H0ZM14 14h14v14H14Z',
  'M8 8h12v12H8Z',
  'M11 0h6v11h11v6H17v11h-6V17H0v-6h11Z',
]
/** Every light colour contrasts with every dark one. */
const LIGHT = ['#8fc7f2', '#ffb08a', '#f2c14e', '#a9e0bf', '#f4f1e6']
const DARK = ['#2f6b37', '#b93a31', '#20293a', '#5a3f9e', '#1f3f86', '#1b6a62']

interface Signal {
  readonly ground: string
  readonly figure: string
  /** On a square of 28. */
  readonly path: string
}

const pick = (list: readonly string[], seed: number) => list[seed % list.length] ?? ''

/** Colours and figure of a team's flag, by a hash of its id. */
export function signalOf(id: string): Signal {
  const hash = fnv1a(id)
  const path = pick(FIGURES, hash)
  const light = pick(LIGHT, Math.floor(hash / FIGURES.length))
  const dark = pick(DARK, Math.floor(hash / (FIGURES.length * LIGHT.length)))
  const isLightGround = Math.floor(hash / (FIGURES.length * LIGHT.length * DARK.length)) % 2 === 0
  return isLightGround ? { ground: light, figure: dark, path } : { ground: dark, figure: light, path }
}
