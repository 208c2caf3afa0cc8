import { expect, test } from 'vitest'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'

test('line breaks go in any case, blanks at the ends unless they are meant', () => {
  expect(flagToSend(' flag{a\r\n b}\n', false)).toBe('flag{a b}')
  expect(flagToSend(' flag{a b}\n', true)).toBe(' flag{a b}')
})

test('only blanks at the ends are told of', () => {
  expect([' f', 'f ', 'a b', 'f\n'].map(hasOuterBlanks)).toEqual([true, true, false, false])
})
