import { translateRegex } from '../../../lib/python-regex.ts'

/**
 * Whether texts match a format as rCDS tests it: `^` and `$` are added to the text of the format without a group, so that
 * each belongs to one end of alternatives, and the match begins at the start. A text is the reason why it cannot be tested.
 */
export function startsWithFormat(format: string): string | ((text: string) => boolean) {
  const translated = translateRegex(format, false)
  if ('problem' in translated) return translated.problem
  // In Python, `$` also matches before a line break at the end.
  const expression = new RegExp(`^(?:^${translated.body}(?=\\n?$(?![^])))`, translated.flags)
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
