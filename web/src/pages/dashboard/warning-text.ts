/** Message functions by warning code; each gets the number or names from the server's message. */
export type WarningTexts = Readonly<Partial<Record<string, (detail: string) => string>>>

/** A warning in the page language; falls back to the server's English message. */
export function warningText(texts: WarningTexts, code: string, said: string): string {
  const names = /: (.+)\.$/.exec(said)?.[1]
  const number = /\d+(?:\.\d+)?/.exec(said)?.[0]
  return texts[code]?.(names ?? number ?? '') ?? said
}
