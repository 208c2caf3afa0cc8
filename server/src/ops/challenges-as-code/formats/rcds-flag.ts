import { textBeside, type Reader } from './reader.ts'
import { translateRegex } from '../../../lib/python-regex.ts'
import { patternEntry, startsWithFormat } from './regex-flag.ts'
import { isMap, type ForeignDocument, type Problem } from './translation.ts'

interface ReadFlag {
  /** Undefined for a pattern. */
  readonly text: string | undefined
  readonly entries: readonly unknown[]
}

/** The pattern that all flags of a project match. */
interface FlagFormat {
  readonly pattern: string | null
  /** Its name in the project file. */
  readonly name: string
  readonly level: Problem['level']
}

/** `flag` of rCDS and beavercds: text, or a map with one of several keys. */
export async function readFlag(
  document: ForeignDocument,
  reader: Reader,
  format: FlagFormat,
): Promise<ReadFlag | undefined> {
  const given = reader.raw('flag')
  if (given === undefined) return undefined
  if (typeof given === 'string') return staticFlag(given, reader, format)
  if (!isMap(given)) {
    reader.report('flag', SHAPES)
    return undefined
  }
  const flag = reader.map('flag')
  const [text, file, regex] = [flag.string('text'), flag.string('file'), flag.string('regex')]
  if (text !== undefined) return staticFlag(text, reader, format)
  if (regex !== undefined) {
    const translated = translateRegex(regex.replace(/^\/([^]*)\/$/, '$1'), false)
    if ('pattern' in translated)
      return { text: undefined, entries: [patternEntry(translated.pattern, translated.flags)] }
    flag.report('regex', translated.problem)
  } else if (file !== undefined) {
    const content = await textBeside(document, file)
    if ('text' in content) return staticFlag(content.text.trim(), reader, format)
    flag.report('file', content.problem, { lint: 'missing-file' })
  } else if (flag.has('verifier'))
    flag.report('verifier', 'is a program, and programs do not check flags here: write text, file or regex')
  else reader.report('flag', SHAPES)
  return undefined
}

const SHAPES = 'must be text, { file } or { regex }'

/** The pattern is one of the repository, so the same person writes it and waits for it. */
function staticFlag(text: string, reader: Reader, { pattern, name, level }: FlagFormat): ReadFlag {
  const matches = pattern === null ? () => true : startsWithFormat(pattern)
  if (typeof matches === 'string')
    reader.warn('flag', `${name} of the project cannot be checked: ${matches}`, { lint: 'flag-format' })
  else if (!matches(text))
    reader.report('flag', `does not match ${name} of the project`, { level, lint: 'flag-format' })
  return { text, entries: [{ kind: 'static', flag: text }] }
}
