import type { CategoryIcon } from './category-icons.ts'

export interface Category {
  /** Lower case, of a to z, 0 to 9 and dashes: names the variable `--pn-cat-<slug>`. */
  readonly slug: string
  /** Whose colour it has: itself, or for an unknown name one of the known. */
  readonly palette: string
  readonly icon: CategoryIcon
  /** Two letters for narrow places. */
  readonly code: string
}

/** In the order of lists. The first fourteen lend their colours to unknown names. */
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

/** The drawing, code and colour of a category by the name that the organisers gave it. */
export function categoryOf(name: string): Category {
  const lower = name.trim().toLowerCase()
  const slug = lower.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'other'
  const known = bySlug.get(slug)
  if (known) return { slug: known[0], palette: known[0], icon: known[1], code: known[2] }
  const lender = KNOWN[fnv1a(lower) % LENDERS]?.[0] ?? 'misc'
  const letters = Array.from(lower).filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  return { slug, palette: lender, icon: 'tag', code: letters.slice(0, 2).join('').toUpperCase() || '??' }
}

/** Orders names as lists show them: the known as in the table, the unknown after misc by name. */
export function compareCategories(left: string, right: string): number {
  return orderOf(left) - orderOf(right) || left.localeCompare(right)
}

function orderOf(name: string): number {
  const { slug } = categoryOf(name)
  const at = KNOWN.findIndex(([known]) => known === slug)
  return at < 0 ? AFTER_MISC : at
}

/** FNV-1a of the text's UTF-8 bytes, 32 bits: the same colour in every browser. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
