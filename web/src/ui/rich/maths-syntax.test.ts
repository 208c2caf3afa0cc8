import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { footnoteExtensions } from './footnotes.ts'
import { mathsExtensions, mayHaveMaths } from './maths-syntax.ts'

const plain = (text: string) => text
const marked = new Marked({ extensions: [...mathsExtensions(plain), ...footnoteExtensions(plain)] })

function formulasOf(text: string): string[] {
  const html = marked.parse(text, { async: false })
  return [...html.matchAll(/<(?:span|div) data-pn-math="(\w+)">([^]*?)<\/(?:span|div)>/g)].map(
    ([, kind, source]) => `${kind} ${source}`,
  )
}

test.each([
  ['$x$ and $a_1 * b_2 * c$', ['inline $x$', 'inline $a_1 * b_2 * c$']],
  [String.raw`\(a*b\) and *c*`, [String.raw`inline \(a*b\)`]],
  ['text $$x$$ text', ['block $$x$$']],
  ['text\n$$\na\n- b\n$$\nmore', ['block $$\na\n- b\n$$']],
  [String.raw`\[` + '\nx\n' + String.raw`\]`, [String.raw`block \[` + '\nx\n' + String.raw`\]`]],
  [`${'word '.repeat(1000)}$x$`, ['inline $x$']],
])('formulas of %j', (text, formulas) => {
  expect(formulasOf(text)).toEqual(formulas)
  expect(mayHaveMaths(text)).toBe(true)
})

test.each([
  'costs $5 and $6',
  'US$5 or A$6.',
  String.raw`\$x\$`,
  '"$HOME/$USER"',
  '$PATH:$HOME.',
  '$ x $',
  '$x\n\ny$',
  '`$x$`',
  '    $x$',
  '```\n$$\nx\n$$\n```',
  String.raw`[a\[1\].zip](/a)`,
])('%j has no formula', (text) => {
  expect(formulasOf(text)).toEqual([])
})

test.each(['$a ', '$$a ', String.raw`\(a `, String.raw`\[a` + '\n\n', 'a\n\n', '*a ', '[^a]: b\n', '[^a'])(
  '%j many times takes linear time',
  (part) => {
    const text = part.repeat(200_000 / part.length)
    const startedAt = performance.now()
    marked.parse(text, { async: false })
    mayHaveMaths(text)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  },
)
