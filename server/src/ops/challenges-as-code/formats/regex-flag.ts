type Translated = { readonly pattern: string; readonly flags: string } | { readonly problem: string }

/** Python's syntax of a pattern that must match the whole flag, as JavaScript's. */
export function fromPython(source: string, isInsensitive: boolean): Translated {
  const leading = /^\(\?([aiLmsux]+)\)/.exec(source)
  const letters = leading?.[1] ?? ''
  if (/[aLux]/.test(letters)) return { problem: `(?${letters}) has no counterpart in JavaScript` }
  const body = leading ? source.slice(leading[0].length) : source
  if (/\(\?\(/.test(body)) return { problem: 'a conditional (?(…)) has no counterpart in JavaScript' }
  const translated = body
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`)
    .replaceAll(/(?<!\\)((?:\\\\)*)\\A/g, '$1^')
    .replaceAll(/(?<!\\)((?:\\\\)*)\\Z/g, '$1$')
  const flags = [isInsensitive || letters.includes('i') ? 'i' : '', letters.replaceAll(/[^ms]/g, '')].join('')
  const pattern = `^(?:${translated})$`
  try {
    // Parsing a pattern is always fast; only matching can be slow.
    void new RegExp(pattern, flags)
    return { pattern, flags }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'is not a pattern' }
  }
}

/**
 * Whether texts match a format as rCDS tests it: `^` and `$` are added to the text of the format without a group, so that
 * each belongs to one end of alternatives, and the match begins at the start. A text is the reason why it cannot be tested.
 */
export function startsWithFormat(format: string): string | ((text: string) => boolean) {
  const translated = fromPython(format, false)
  if ('problem' in translated) return translated.problem
  const body = translated.pattern.slice('^(?:'.length, -')$'.length)
  // In Python, `$` also matches before a line break at the end.
  const expression = new RegExp(`^(?:^${body}(?=\\n?$(?![^])))`, translated.flags)
  return (text) => expression.test(text)
}

/** An entry of `flags` for a text that matches regardless of case. */
export function caseInsensitive(flag: string) {
  const escaped = flag.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return { kind: 'regex', pattern: `^${escaped}$`, flags: 'i', flagValue: flag }
}

export function patternEntry(pattern: string, flags: string) {
  return { kind: 'regex', pattern, ...(flags !== '' && { flags }) }
}
