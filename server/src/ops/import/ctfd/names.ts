import { teamNameKey } from '@pennant/contract/fields.ts'

const MIN_LENGTH = 2
const MAX_LENGTH = 64
const MAX_SLUG_LENGTH = 80

/** Team names of Pennant: 2 to 64 printable ASCII characters, no two of them the same. */
export function createNames() {
  const taken = new Set<string>()
  return (original: string, id: string): string => {
    const ascii = original
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^\x20-\x7e]+/g, '_')
      .trim()
    const isPoor = ascii.length < MIN_LENGTH || /^[_\s]+$/.test(ascii)
    const base = isPoor ? `team ${id}` : ascii
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` (${number})`
      const name = base.slice(0, MAX_LENGTH - suffix.length).trim() + suffix
      if (taken.has(teamNameKey(name))) continue
      taken.add(teamNameKey(name))
      return name
    }
  }
}

/** Lower-case letters and digits with hyphens between them; may be empty. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH)
}
