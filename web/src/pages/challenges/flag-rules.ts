/**
 * A flag is one line, so line breaks from copying are removed. Outer spaces are trimmed unless `exactly` is
 * set.
 */
export function flagToSend(typed: string, exactly: boolean): string {
  const line = typed.replaceAll(/[\r\n]+/g, '')
  return exactly ? line : line.trim()
}

/** Whether trimming outer spaces would change the flag. */
export function hasOuterBlanks(typed: string): boolean {
  return flagToSend(typed, true) !== flagToSend(typed, false)
}
