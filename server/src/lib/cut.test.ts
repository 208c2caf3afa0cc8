import { expect, test } from 'vitest'
import { cut } from './cut.ts'

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab\u{1F6A9}', 4, 'ab\u{1F6A9}'],
  ['ab\u{1F6A9}', 3, 'ab'],
])('%j cut to %i is %j', (text, length, expected) => {
  expect(cut(text, length)).toBe(expected)
})
