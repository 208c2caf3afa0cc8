import { expect, test } from 'vitest'
import { flagProblem, looksCut } from './flag-text.ts'

test.each([
  'flag{plain}',
  'flag{two words}',
  'flag{tab\tinside}',
  'flag{ünï 👩‍🚀}',
  'flag{:-}}',
  'x'.repeat(1024),
])('%j can be submitted', (text) => {
  expect(flagProblem(text)).toBeNull()
})

test.each([
  [' flag{a}', /white space/],
  ['flag{a}\t', /white space/],
  ['flag{a}\u{a0}', /white space/],
  ['flag{a}\n', /line break/],
  ['flag{a\r\nb}', /line break/],
  ['flag{a\u{2028}b}', /line break/],
  ['flag{a\u{200b}b}', /cannot be seen/],
  ['\u{202e}flag{a}', /cannot be seen/],
  ['x'.repeat(1025), /longer than 1024/],
])('%j cannot be submitted', (text, problem) => {
  expect(flagProblem(text)).toMatch(problem)
})

test('a flag that YAML cut ends without its brace', () => {
  expect(looksCut('flag{a')).toBe(true)
  expect(looksCut('flag{a{b')).toBe(true)
  expect(looksCut('flag{a}b{c}')).toBe(false)
  expect(looksCut('flag{a{b}')).toBe(false)
  expect(looksCut('flag{a{b}c}')).toBe(false)
  expect(looksCut('no braces')).toBe(false)
})
