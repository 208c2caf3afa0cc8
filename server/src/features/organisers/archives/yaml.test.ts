import { expect, test } from 'vitest'
import { MAX_DOCUMENT_BYTES, MAX_TOKENS } from './limits.ts'
import { parseYaml } from './yaml.ts'

const full = (part: string, start = '') =>
  start + part.repeat(Math.floor((MAX_DOCUMENT_BYTES - start.length) / part.length))

// Each took seconds to minutes, for one reason of the parser each.
test.each([
  ['closing brackets', full(']')],
  ['closing braces', full('}\n')],
  ['commas', full(',', '[')],
  ['question marks', full('? ', '{')],
  ['anchors', full('&a ')],
  ['anchors on lines', full('&a\n')],
  ['tags', full('!a ')],
  ['directives', full('%a\n')],
  ['documents', full('---\n')],
  ['comments', full('#\n')],
  ['blank lines', full('\n')],
  ['tabs on lines', full('\t\n')],
  ['keys of keys', full('a: ')],
  ['lists in flow', full('[],', '[')],
  ['wrong escapes', full(String.raw`\q`, '"')],
  ['short escapes', full(String.raw`\x`, '"')],
])('a document of %s is refused before it is parsed', async (_kind, text) => {
  expect(await parseYaml(text)).toEqual({ error: `contains more than ${MAX_TOKENS} words and signs` })
})

test.each([
  ['escapes', String.raw`"\q\q\q"`, 'line 1, column 2'],
  ['a flow list that never ends', full('a\n', '['), `line ${MAX_DOCUMENT_BYTES / 2}, column 1`],
  ['tags in brackets', full('!<a>\n'), 'line 2, column 1'],
])('%s: the first mistake is reported with its place', async (_kind, text, place) => {
  const parsed = await parseYaml(text)
  expect(parsed).toEqual({ error: expect.stringMatching(/^is not valid YAML: /) })
  expect(parsed).toEqual({ error: expect.stringMatching(new RegExp(` at ${place}$`)) })
})

test('brackets inside of texts are no levels', async () => {
  const brainfuck = '[[[{'.repeat(500)
  expect(await parseYaml(`description: |\n  ${brainfuck}\nname: '${brainfuck}'`)).toEqual({
    value: { description: `${brainfuck}\n`, name: brainfuck },
  })
})
