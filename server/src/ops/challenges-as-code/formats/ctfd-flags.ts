import { translateRegex } from '../../../lib/python-regex.ts'
import { caseInsensitive, patternEntry } from './regex-flag.ts'
import { refuseType, type Reader } from './reader.ts'

/** Reports what is wrong with a flag: an error, a warning, or a type that does not exist here. */
type Report = (message: string, kind?: 'error' | 'warning' | 'type') => void

/** A text that players submit as it is. Submissions never begin or end with white space. */
export function staticFlag(text: string, report: Report): { kind: 'static'; flag: string }[] {
  const flag = text.trim()
  if (flag === '') report('is empty and is left out', 'warning')
  else if (flag !== text)
    report('begins or ends with white space, which is removed: no one could submit it', 'warning')
  return flag === '' ? [] : [{ kind: 'static', flag }]
}

const CASES: readonly unknown[] = [undefined, '', 'case_insensitive', 'case_sensitive']

/** A flag as CTFd stores it: `{ type, content, data }`. */
export function flagOf(
  { type = 'static', content, data }: Readonly<Record<string, unknown>>,
  report: Report,
): unknown[] {
  const refuse = (message: string) => {
    report(message)
    return []
  }
  const isInsensitive = data === 'case_insensitive'
  if (!CASES.includes(data))
    report(`data: ${String(data)} is not case_insensitive, so upper and lower case differ`, 'warning')
  if (type !== 'static' && type !== 'regex') {
    report(`the type ${String(type)} is not supported: write static or regex`, 'type')
    return []
  }
  if (typeof content !== 'string') return refuse('content is missing')
  if (type === 'static')
    return staticFlag(content, report).map((entry) => (isInsensitive ? caseInsensitive(entry.flag) : entry))
  const translated = translateRegex(content, isInsensitive)
  return 'problem' in translated
    ? refuse(`content: ${translated.problem}`)
    : [patternEntry(translated.pattern, translated.flags)]
}

/** Reports at a field of a document. */
export function reportAt(reader: Reader, field: string): Report {
  return (message, kind = 'error') => {
    if (kind === 'type') refuseType(reader, field, message)
    else if (kind === 'warning') reader.warn(field, message)
    else reader.report(field, message)
  }
}
