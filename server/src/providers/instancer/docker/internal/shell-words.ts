/** Whitespace separates words; quotes and backslashes join them, as in a shell. */
const PIECE = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\([\s\S])|([^\s"'\\]+)/gy

/** Splits a command line into words; null when a quote is not closed. Variables are not expanded. */
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
