import { trimInvisible } from '../../../text/invisible.ts'

/**
 * A flag is one line, so line breaks from copying are removed. Outer spaces and invisible characters are trimmed
 * unless `exactly` is set. Inside, an invisible character may belong to the flag, so the team decides.
 */
export function flagToSend(typed: string, exactly: boolean): string {
  const line = typed.replaceAll(/[\r\n\u0085\u2028\u2029]+/g, '')
  return exactly ? line : trimInvisible(line)
}

/** Whether trimming outer spaces would change the flag. */
export function hasOuterBlanks(typed: string): boolean {
  return flagToSend(typed, true) !== flagToSend(typed, false)
}
