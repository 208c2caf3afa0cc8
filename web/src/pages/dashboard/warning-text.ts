/** Sentences by the code of a warning; each is given the number, or the names, of the server's own sentence. */
export type WarningTexts = Readonly<Partial<Record<string, (detail: string) => string>>>

/** A warning in the language of the page; the server's English where that has none. */
export function warningText(texts: WarningTexts, code: string, said: string): string {
  const names = /: (.+)\.$/.exec(said)?.[1]
  const number = /\d+(?:\.\d+)?/.exec(said)?.[0]
  return texts[code]?.(names ?? number ?? '') ?? said
}
