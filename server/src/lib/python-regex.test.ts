import { expect, test } from 'vitest'
import { translateRegex } from './python-regex.ts'

const matches = (pattern: string, text: string, isCaseInsensitive = false) => {
  const translated = translateRegex(pattern, isCaseInsensitive)
  return 'pattern' in translated && new RegExp(translated.pattern, translated.flags).test(text)
}

test.each([
  ['(?P<x>a)(?P=x)', 'aa', 'ab'],
  [String.raw`\Aflag\Z`, 'flag', 'flags'],
  ['(?i)flag', 'FLAG', 'FLAGS'],
  ['[]a]+', ']a]', 'b'],
  ['[^]a]', 'b', ']'],
  ['a{,2}', 'aa', 'aaa'],
  ['a(?#comment)b', 'ab', 'a'],
  ['(?m)a$', 'a', 'a\nb'],
  [String.raw`pnt\{f[o0]ld\}`, 'pnt{f0ld}', 'xpnt{f0ld}'],
  ['a|ab', 'ab', 'abc'],
])('17: %s accepts %s and refuses %s', (pattern, good, bad) => {
  expect([matches(pattern, good), matches(pattern, bad)]).toEqual([true, false])
})

test.each(['(a)?(?(1)b|c)', '(?>a)', 'a++', '(?i:a)', String.raw`\N{DASH}`, '[a', '('])(
  '17: %s cannot be carried over',
  (pattern) => {
    expect(translateRegex(pattern, false)).toEqual({ problem: expect.any(String) })
  },
)
