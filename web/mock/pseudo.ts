// A pseudo-language that reveals hard-coded texts and elements that are too small for longer words.

const PLAIN = 'aceinosuyACEINOSUY'
const ACCENTED = 'áçéíñöšüýÁÇÉÍÑÖŠÜÝ'
/** Translations of short English texts are longer by this fraction. */
const LONGER = 0.4
const FILLER = '~'

/** The same text with accents, in brackets, and 40 % longer. */
export function pseudoText(text: string): string {
  if (text.trim() === '') return text
  const accented = text.replace(/[a-z]/gi, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)
  return `[${accented}${FILLER.repeat(Math.ceil(text.length * LONGER) - 1)}]`
}

/** A whole catalogue: texts, lists and groups of them, and functions that return a text. */
export function pseudo<Messages>(messages: Messages): Messages {
  return changed(messages) as Messages
}

function changed(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (Array.isArray(value)) return value.map(changed)
  if (typeof value === 'function')
    return (...args: readonly unknown[]) => changed((value as (...args: unknown[]) => unknown)(...args))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, changed(child)]))
}
