export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** What it is, in a word. */
  readonly kind: string
  readonly onChoose: () => void
}

const MOST_FOUND = 20

/** Entries in which every word occurs; those whose name begins with the text first. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = typed.trim().toLowerCase()
  const parts = text.split(/\s+/)
  const fits = ({ name, kind }: PaletteEntry) =>
    parts.every((part) => `${name} ${kind}`.toLowerCase().includes(part))
  const begins = ({ name }: PaletteEntry) => (name.toLowerCase().startsWith(text) ? 0 : 1)
  return entries
    .filter(fits)
    .toSorted((left, right) => begins(left) - begins(right))
    .slice(0, MOST_FOUND)
}
