import { fnv1a } from '../../fnv1a.ts'
import type { CategoryIcon } from './category-icons.ts'

export interface Category {
  /** Only a to z, 0 to 9 and dashes: names the CSS variable `--pn-cat-<slug>`. */
  readonly slug: string
  /** The category whose colour it uses: itself, or a known one for an unknown name. */
  readonly palette: string
  readonly icon: CategoryIcon
  /** Two-letter code for narrow layouts. */
  readonly code: string
}

/** In list order. Unknown names use the colours of the first fourteen. */
const KNOWN: readonly (readonly [slug: string, icon: CategoryIcon, code: string, aliases: string])[] = [
  ['web', 'globe', 'WB', ''],
  ['crypto', 'key', 'CR', 'cryptography'],
  ['pwn', 'stack', 'PW', 'binary exploitation binary-exploitation'],
  ['rev', 'gear', 'RE', 'reverse reversing reverse-engineering'],
  ['forensics', 'fingerprint', 'FO', 'dfir'],
  ['osint', 'eye', 'OS', ''],
  ['misc', 'die', 'MI', 'miscellaneous'],
  ['blockchain', 'links', 'BC', ''],
  ['hardware', 'chip', 'HW', 'iot'],
  ['ppc', 'braces', 'PP', 'algo programming'],
  ['mobile', 'phone', 'MO', ''],
  ['cloud', 'cloud', 'CL', ''],
  ['koth', 'crown', 'KH', ''],
  ['ad', 'shield', 'AD', 'attack-defense attack-defence'],
  ['sanity', 'bubble', 'SA', 'welcome survey'],
]
const LENDERS = 14
const AFTER_MISC = KNOWN.findIndex(([slug]) => slug === 'misc') + 0.5

const bySlug = new Map(
  KNOWN.flatMap((known) =>
    [known[0], ...known[3].split(' ').filter(Boolean)].map((name) => [name, known] as const),
  ),
)

/** Icon, code and colour of a category, by the name that the organisers chose. */
export function categoryOf(name: string): Category {
  const lower = name.trim().toLowerCase()
  const slug = lower.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'other'
  const known = bySlug.get(slug)
  if (known) return { slug: known[0], palette: known[0], icon: known[1], code: known[2] }
  const lender = KNOWN[fnv1a(lower) % LENDERS]?.[0] ?? 'misc'
  const letters = Array.from(lower).filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  return { slug, palette: lender, icon: 'tag', code: letters.slice(0, 2).join('').toUpperCase() || '??' }
}

/** CSS variables of the cloth's colour without `--pn-`, of which the first that is set applies. */
export function clothNames({ slug, palette }: Category): readonly string[] {
  return [`cloth-${slug}`, `cat-${slug}`, `cloth-${palette}`]
}

/** Compares names in list order: known ones as in the table, unknown ones after misc by name. */
export function compareCategories(left: string, right: string): number {
  return orderOf(left) - orderOf(right) || left.localeCompare(right)
}

function orderOf(name: string): number {
  const { slug } = categoryOf(name)
  const at = KNOWN.findIndex(([known]) => known === slug)
  return at < 0 ? AFTER_MISC : at
}
