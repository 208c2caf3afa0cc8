interface Translated {
  readonly pattern: string
  readonly flags: string
  /** The pattern without what makes it match the whole text. */
  readonly body: string
}

interface Problem {
  readonly problem: string
}

const MAX_SHOWN = 20
const SUPPORTED_GROUP = /^\(\?(?::|=|!|<=|<!)/
const LEADING_FLAGS = /^\(\?([aims]+)\)/
const POSSESSIVE = /^[*+?}]\+/
/** The start and the end of the text, whatever the flags. */
const [TEXT_START, TEXT_END] = ['(?<![^])', '(?![^])']

/** Python's regular expression as one of JavaScript that must match the whole text, or why it cannot be translated. */
export function translateRegex(source: string, isCaseInsensitive: boolean): Translated | Problem {
  const [leading = '', given = ''] = LEADING_FLAGS.exec(source) ?? []
  const flags = new Set([...given].filter((flag) => 'ims'.includes(flag)))
  if (isCaseInsensitive) flags.add('i')
  const body = translateBody(source.slice(leading.length))
  if (typeof body !== 'string') return body
  const pattern = flags.has('m') ? `${TEXT_START}(?:${body})${TEXT_END}` : `^(?:${body})$`
  const translated = { pattern, flags: [...flags].sort().join(''), body }
  try {
    // Parsing a pattern is always fast; only matching can be slow.
    void new RegExp(translated.pattern, translated.flags)
    return translated
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'is not a pattern' }
  }
}

function translateBody(source: string): string | Problem {
  let result = ''
  for (let at = 0; at < source.length;) {
    const part = partOf(source.slice(at))
    if (part === null)
      return { problem: `${source.slice(at, at + MAX_SHOWN)} has no counterpart in JavaScript` }
    result += part.text
    at += part.length
  }
  return result
}

interface Part {
  readonly text: string
  /** How much of the source it replaces. */
  readonly length: number
}

function partOf(rest: string): Part | null {
  if (rest.startsWith('\\')) return escapeOf(rest)
  if (rest.startsWith('[')) return classOf(rest)
  if (rest.startsWith('(?')) return groupOf(rest)
  const [open] = /^\{,\d+\}/.exec(rest) ?? []
  if (open !== undefined) return { text: `{0${open.slice(1)}`, length: open.length }
  if (POSSESSIVE.test(rest)) return null
  return { text: rest[0] ?? '', length: 1 }
}

function escapeOf(rest: string): Part | null {
  const next = rest[1] ?? ''
  if (next === 'A') return { text: TEXT_START, length: 2 }
  if (next === 'Z') return { text: TEXT_END, length: 2 }
  if (next === 'a') return { text: String.raw`\x07`, length: 2 }
  // Names of characters, and code points of eight digits.
  if (next === 'N' || next === 'U' || next === '') return null
  return { text: rest.slice(0, 2), length: 2 }
}

/** `[]x]` and `[^]x]` contain the bracket in Python. */
function classOf(rest: string): Part | null {
  const [open = '['] = /^\[\^?/.exec(rest) ?? []
  let text = open
  let at = open.length
  if (rest[at] === ']') {
    text += String.raw`\]`
    at += 1
  }
  for (; at < rest.length && rest[at] !== ']'; at++) {
    text += rest[at]
    if (rest[at] === '\\') text += rest[++at] ?? ''
  }
  return at < rest.length ? { text: `${text}]`, length: at + 1 } : null
}

/** Conditions, atomic groups and flags of a group do not exist in every version of Node that runs Pennant. */
function groupOf(rest: string): Part | null {
  const [named, name] = /^\(\?P<([A-Za-z_]\w*)>/.exec(rest) ?? []
  if (named !== undefined) return { text: `(?<${name}>`, length: named.length }
  const [reference, target] = /^\(\?P=([A-Za-z_]\w*)\)/.exec(rest) ?? []
  if (reference !== undefined) return { text: String.raw`\k<${target}>`, length: reference.length }
  const [comment] = /^\(\?#[^)]*\)/.exec(rest) ?? []
  if (comment !== undefined) return { text: '', length: comment.length }
  const [group] = SUPPORTED_GROUP.exec(rest) ?? []
  return group === undefined ? null : { text: group, length: group.length }
}
