import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'

// Texts on which a backtracking engine takes long, generated from the pattern: what matches a part of it, many times, and then
// something that does not match.

/** Each may take a timeout, and an organiser waits for all. */
const MAX_TEXTS = 160
const MAX_PARTS = 24
/** Parts that are combined: two repetitions that overlap only together, such as in `(\w+-\w+)+`. */
const MAX_COMBINED = 5
const MAX_RUN_LENGTH = 12
/** The end that the pattern does not expect. */
const ENDS = ['!', '\n', '']

/** Characters of classes that have an escape, and of the dot. */
const OF_CLASS: Readonly<Record<string, string>> = {
  w: 'a',
  d: '0',
  s: ' ',
  W: '-',
  D: 'a',
  S: 'a',
  b: '',
  B: '',
}
const OF_ESCAPE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }

/** At most 160 texts of the length of the longest flag, those that are most often slow first. */
export function worstCases(pattern: string): readonly string[] {
  const runs = runsOf(pattern)
  const single = [...runs, 'a', '0'].flatMap((run) => [...run])
  const short = runs.filter(({ length }) => length > 1 && length <= MAX_RUN_LENGTH)
  const parts = [...new Set([...single, ...short])].filter((part) => part !== '').slice(0, MAX_PARTS)
  const few = [...new Set(single)].slice(0, MAX_COMBINED)
  const combined = few.flatMap((a) => few.filter((b) => a !== b).flatMap((b) => [a + b, a + a + b + a]))
  const texts = new Set<string>()
  for (const start of new Set([prefixOf(pattern), '']))
    for (const part of [...parts, ...combined]) for (const end of ENDS) texts.add(repeated(start, part, end))
  return [...texts].slice(0, MAX_TEXTS)
}

function repeated(start: string, part: string, end: string): string {
  const room = MAX_FLAG_LENGTH - start.length - end.length
  return room <= 0
    ? start.slice(0, MAX_FLAG_LENGTH)
    : start + part.repeat(Math.ceil(room / part.length)).slice(0, room) + end
}

/** Each text between operators of the pattern, with one character for each class. */
function runsOf(pattern: string): string[] {
  const runs: string[] = ['']
  const tokens = pattern.matchAll(
    /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[^])|\(\?[:=!]|\(\?<[=!]|\(\?<\w+>|\{\d+(?:,\d*)?\}|[^]/gi,
  )
  for (const [token] of tokens) {
    const text = textOf(token)
    if (text === null) runs.push('')
    else runs[runs.length - 1] += text
  }
  return runs.filter((run) => run !== '')
}

/** Null for an operator. */
function textOf(token: string): string | null {
  if (token === '.') return 'a'
  if (token.startsWith('\\')) return ofEscape(token.slice(1))
  return token.length > 1 || '^$*+?()[]|{}'.includes(token) ? null : token
}

function ofEscape(name: string): string | null {
  if (/^[ux]./i.test(name))
    return String.fromCodePoint(Number.parseInt(name.replaceAll(/[^0-9a-f]/gi, ''), 16) % 0x11_0000)
  if (/^[1-9kpP]/.test(name)) return null
  return OF_CLASS[name] ?? OF_ESCAPE[name] ?? name
}

/** What a match begins with, as far as the pattern says it literally: `flag{` of `^flag\{`. */
function prefixOf(pattern: string): string {
  const [found = ''] = /^\^?(?:[\w\s!"#%&',/:;<=>@`~-]|\\[^\w\s])*/.exec(pattern) ?? []
  const isRepeated = /^[*+?{]/.test(pattern.slice(found.length))
  const literal = found.replace(/^\^/, '').replaceAll(/\\(.)/g, '$1')
  return isRepeated ? literal.slice(0, -1) : literal
}
