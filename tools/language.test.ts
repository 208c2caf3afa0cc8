import { describe, expect, test } from 'vitest'
import { textFiles } from './repository-files.ts'
import { textOf } from './source-graph.ts'
import { NAMES, PROSE, TERMS } from './terms.ts'

// Code and documents use the terms of the field (CONTRIBUTING.md#style). Linters of prose read documents only, and linters of
// code do not print a replacement, so this test reads everything as text.

/** The blanks between two words of a sentence, which may continue in the next line of a comment. */
const BLANKS = String.raw`(?:[^\S\n]+|[^\S\n]*\n\s*(?:\/\/|\*(?!\/)|--|#)?\s*)`

const patternsOf = (list: typeof TERMS) =>
  Object.entries(list).map(([term, replacement]) => ({
    pattern: `(?<![\\w-])${term.replaceAll(' ', BLANKS)}(?![\\w-])`,
    replacement,
  }))
const terms = patternsOf({ ...TERMS, ...PROSE })
const names = Object.entries(NAMES).map(([name, replacement]) => ({
  pattern: `(?<![\\w$])${name}(?![\\w$])`,
  replacement,
}))
const anyOf = (list: typeof terms) => new RegExp(list.map(({ pattern }) => pattern).join('|'), 'gi')
const anyTerm = anyOf(patternsOf(TERMS))
const anyTermOrProse = anyOf(terms)
const anyName = new RegExp(names.map(({ pattern }) => pattern).join('|'), 'g')

/** `path:line: "found", write "replacement"` for each term to avoid. */
function problemsIn(path: string, text: string): string[] {
  const unwanted = path.endsWith('.md') ? anyTermOrProse : anyTerm
  const found = [...text.matchAll(unwanted), ...text.matchAll(anyName)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return `${path}:${line}: "${match[0].replaceAll(/[\s*/#]+/g, ' ')}", write "${replacementOf(match[0])}"`
  })
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  return Object.hasOwn(NAMES, fileName) ? [...found, `${path}: call the file ${NAMES[fileName]}`] : found
}

function replacementOf(found: string): string {
  const isFor = (flags: string) => (entry: { readonly pattern: string }) =>
    new RegExp(`^${entry.pattern}$`, flags).test(found)
  return (terms.find(isFor('i')) ?? names.find(isFor('')))?.replacement ?? ''
}

test('code and documents use standard terms', () => {
  const problems = textFiles()
    .filter((path) => !/^tools\/(?:terms|language\.test)\.ts$/.test(path))
    .flatMap((path) => problemsIn(path, textOf(path)))
  expect(problems.join('\n')).toBe('')
})

describe('the check itself', () => {
  test.each([
    ['a.ts', '// Keeps house at night.\n', 'a.ts:1: "Keeps house", write "maintenance"'],
    ['a.ts', '/**\n * Checks what comes\n * back.\n */\n', 'a.ts:2: "what comes back", write "the response"'],
    ['a.md', 'The\nHousekeeping runs.', 'a.md:2: "Housekeeping", write "maintenance"'],
    ['a.md', 'A machine of\nits own.', 'a.md:1: "of its own", write "its own X"'],
    ['a.tsx', 'const waits = useRested(1)', 'a.tsx:1: "useRested", write "useDebouncedValue"'],
    ['b/crossing.ts', '', 'b/crossing.ts: call the file phase-change.ts'],
  ])('in %s reports %j', (path, text, problem) => {
    expect(problemsIn(path, text)).toEqual([problem])
  })

  test.each(['warehousekeeping', 'housekeeping-b', 'useRestedOf', 'a whole house'])('accepts %j', (text) => {
    expect(problemsIn('a.ts', text)).toEqual([])
  })

  test('accepts in code what only documents avoid', () => {
    expect(problemsIn('a.ts', '// Nobody.')).toEqual([])
    expect(problemsIn('a.md', 'Nobody.')).toHaveLength(1)
  })
})
