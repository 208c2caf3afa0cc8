// A language that nobody speaks, to find words that are written by hand and places that are too small for longer ones.

const PLAIN = 'aceinosuyACEINOSUY'
const ACCENTED = 'áçéíñöšüýÁÇÉÍÑÖŠÜÝ'
/** Translations of short English are longer by that much. */
const LONGER = 0.4
const FILLER = '~'

/** The same words with accents, in brackets, and longer by 40 %. */
export function pseudoText(text: string): string {
  if (text.trim() === '') return text
  const accented = text.replace(/[a-z]/gi, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)
  return `[${accented}${FILLER.repeat(Math.ceil(text.length * LONGER) - 1)}]`
}

/** A whole catalogue: texts, lists and groups of them, and functions that give a text. */
export function pseudo<Words>(words: Words): Words {
  return changed(words) as Words
}

function changed(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (Array.isArray(value)) return value.map(changed)
  if (typeof value === 'function')
    return (...args: readonly unknown[]) => changed((value as (...args: unknown[]) => unknown)(...args))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, changed(child)]))
}
