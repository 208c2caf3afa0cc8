export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** Type of the entry, in one word. */
  readonly kind: string
  readonly onChoose: () => void
}

const MAX_FOUND = 20

/** Entries that contain every word: names that start with the text first, matches only in the kind last. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = typed.trim().toLowerCase()
  const parts = text.split(/\s+/)
  const has = (where: string) => parts.every((part) => where.toLowerCase().includes(part))
  const rank = ({ name }: PaletteEntry) => (name.toLowerCase().startsWith(text) ? 0 : has(name) ? 1 : 2)
  return entries
    .filter(({ name, kind }) => has(`${name} ${kind}`))
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, MAX_FOUND)
}
