import { describe, expect, test } from 'vitest'
import { parseLenient } from './lenient-yaml.ts'

async function parse(text: string) {
  const parsed = await parseLenient(text)
  return 'error' in parsed ? parsed.error : parsed.typed
}

// The values are what PyYAML 6.0.3 returns for the same text.
test.each<[string, unknown]>([
  ['a: "x\ny"\nb: 1\n', { a: 'x y', b: 1 }],
  ["a: 'it''s\nok'\n", { a: "it's ok" }],
  ['a: "x\n\nk: v"\n', { a: 'x\nk: v' }],
  ['a: "x\r\ny"\r\nb: 2\r\n', { a: 'x y', b: 2 }],
  ['h:\n  - content: "foo\nbar" # "c\n    cost: 1\n', { h: [{ content: 'foo bar', cost: 1 }] }],
  ['flags: [\n# "one\n"a",\nit\'s\n]\n', { flags: ['a', "it's"] }],
  ['extra: {\na: 1,\nb: "p\nq"\n}\nb: 1\n', { extra: { a: 1, b: 'p q' }, b: 1 }],
  ['- [\n1\n]\n- "x\ny"\n', [[1], 'x y']],
  ['d: |\n  "not [ quoted\nb: "x\ny"\n', { d: '"not [ quoted\n', b: 'x y' }],
  ["d: it's\n  'plain [\nb: 1\n", { d: "it's 'plain [", b: 1 }],
  ['\ufeff%YAML 1.1\n---\na: "x\ny"\n', { a: 'x y' }],
  ['a: &x flag\nb: *x\n', { a: 'flag', b: 'flag' }],
  ['a: &x { p: 1 }\nb: { <<: *x, p: 2, q: 3 }\n', { a: { p: 1 }, b: { p: 2, q: 3 } }],
  [
    'a: &x {p: 1}\nc: &y {p: 2, r: 3}\nb:\n  <<: [*x, *y]\n',
    { a: { p: 1 }, c: { p: 2, r: 3 }, b: { p: 1, r: 3 } },
  ],
  ['a: yes\nb: Off\nc: y\nd: oN\n', { a: true, b: false, c: 'y', d: 'oN' }],
  ['a: 010\nb: 0x1F\nc: 0b11\nd: 1_000\ne: 1:30\n', { a: 8, b: 31, c: 3, d: 1000, e: 90 }],
  ['a: 0o10\nb: 08\nc: 1e3\nd: 1.0e+3\ne: 100.0\n', { a: '0o10', b: '08', c: '1e3', d: 1000, e: 100 }],
  ['a: ~\nb:\nc: NULL\nd: nULL\ne: !!str 5\n', { a: null, b: null, c: null, d: 'nULL', e: '5' }],
  ['a:\n- 1\nb: 2026-01-02\n', { a: [1], b: '2026-01-02' }],
])('%j', async (text, value) => {
  expect(await parse(text)).toEqual(value)
})

test('texts stay as they are written, and a repeated key is a warning with both lines', async () => {
  const parsed = await parseLenient('name: 0x41\nextra:\n  value: 010\n  value: "020"\n')
  if ('error' in parsed) throw new Error(parsed.error)
  expect(parsed.text).toEqual({ name: '0x41', extra: { value: '020' } })
  expect(parsed.warnings).toEqual([
    {
      line: 4,
      field: 'extra.value',
      message: 'is there twice, at line 3 and line 4: the last one counts; remove the other',
    },
  ])
  expect(parsed.lineOf(['extra', 'value'])).toBe(4)
})

describe('says what to write instead', () => {
  test.each([
    ['a: x\nb: {{ nc }}\n', 'key that is no text at line 2: put a value that begins with {{'],
    ['a: foo\nbar\n', 'a line has no key'],
    ['a: b: c\n', 'a colon and a space in it: put the whole value in quotes'],
    ['a: @x\n', 'put it in quotes at line 1'],
    ['a: **bold**\n', 'put the value in quotes if * is part of it'],
    ['a: "\\q"\n', 'write \\\\, or use single quotes'],
    ['a: "x\nb: 1\n', 'a text in quotes has no end'],
    ['a: "x\n---\ny"\n', 'is not valid YAML'],
    ['a: [1, 2\nb: 3\n', 'is not valid YAML'],
    ['a: 1\n---\nb: 2\n', 'remove the lines --- after the first'],
    ['\ta: 1\n', 'is not valid YAML'],
    ['a: !!binary aGk=\n', 'remove it'],
    ['a: &a [*a]\n', 'without an anchor'],
    ['<<: 5\n', 'no map'],
  ])('%j', async (text, message) => {
    const error = await parse(text)
    expect(error).toContain(message)
    expect(error).not.toMatch(/Expected|Implicit|Missing|Unresolved|Nested|flow|scalar/)
  })
})

describe('what aliases multiply is bounded', () => {
  const levels = 'bcdefghij'.split('')
  const lists = levels.map((name, index) => {
    const before = index === 0 ? 'a' : levels[index - 1]
    return `${name}: &${name} [${Array<string>(9).fill(`*${before}`).join(', ')}]`
  })
  test.each([
    ['lists in lists', `a: &a [x]\n${lists.join('\n')}\n`, 'contains more than 10000 values'],
    [
      'a long text',
      `a: &a "${'x'.repeat(100_000)}"\nb: [${Array<string>(5000).fill('*a').join(', ')}]\n`,
      'characters with its aliases',
    ],
    [
      'merges',
      `a: &a { k: v }\nb: { <<: [${Array<string>(9000).fill('*a').join(',')}] }\n`,
      'contains more than',
    ],
  ])('%s', async (_, text, message) => {
    expect(await parse(text)).toContain(message)
  })
})
