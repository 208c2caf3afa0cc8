import { expect, test } from 'vitest'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'

test('line breaks are always removed, outer spaces unless they are intended', () => {
  expect(flagToSend(' flag{a\r\n b}\n', false)).toBe('flag{a b}')
  expect(flagToSend(' flag{a b}\n', true)).toBe(' flag{a b}')
})

test('only outer spaces are reported', () => {
  expect([' f', 'f ', 'a b', 'f\n'].map(hasOuterBlanks)).toEqual([true, true, false, false])
})

test('invisible characters at the ends are trimmed like spaces, inside they stay', () => {
  expect(flagToSend('\uFEFF\u200Bflag{a\u200Db}\u00A0\u200E', false)).toBe('flag{a\u200Db}')
  expect(flagToSend('\u200Bflag{a}', true)).toBe('\u200Bflag{a}')
  expect(hasOuterBlanks('flag{a}\u2060')).toBe(true)
})
