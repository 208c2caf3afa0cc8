/** Blanks part words; quotes and backslashes keep them together, as a shell reads them. */
const PIECE = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\([\s\S])|([^\s"'\\]+)/gy

/** The words of a command line, or null when a quote is left open. Variables are not replaced. */
export function shellWords(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let at = 0
  for (const piece of line.matchAll(PIECE)) {
    const [text, double, single, escaped, plain] = piece
    at = piece.index + text.length
    const part = double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? plain
    if (part === undefined && word !== null) words.push(word)
    word = part === undefined ? null : (word ?? '') + part
  }
  if (at !== line.length) return null
  return word === null ? words : [...words, word]
}
