/** A flag is one line: breaks come from copying. Blanks at the ends too, unless they are meant. */
export function flagToSend(typed: string, exactly: boolean): string {
  const line = typed.replaceAll(/[\r\n]+/g, '')
  return exactly ? line : line.trim()
}

/** Whether removing the blanks at the ends would change what is sent. */
export function hasOuterBlanks(typed: string): boolean {
  return flagToSend(typed, true) !== flagToSend(typed, false)
}
