import { expect, test } from 'vitest'
import { invisibleIn, trimInvisible, withoutInvisible } from './invisible.ts'

const HIDDEN = [
  0x7, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x2007, 0x200b, 0x200d, 0x200e, 0x202e, 0x202f, 0x2028,
  0x2060, 0x2067, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xfff9, 0xe0041, 0xe0101,
].map((code) => String.fromCodePoint(code))

test.each(HIDDEN)('an invisible character is named, removed inside and trimmed outside', (hidden) => {
  const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  expect(invisibleIn(`flag{a${hidden}b${hidden}}`)).toEqual([`U+${code}`])
  expect(withoutInvisible(`flag{a${hidden}b}`)).toBe('flag{ab}')
  expect(trimInvisible(` ${hidden}flag{a${hidden}b}${hidden} `)).toBe(`flag{a${hidden}b}`)
})

test.each(['❤️', '👩‍❤️‍👨', '👍🏽', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇩🇪', 'é', 'a b', 'a\tb', 'مرحبا'])('%s stays as it is', (text) => {
  expect(invisibleIn(text)).toEqual([])
  expect(withoutInvisible(text)).toBe(text)
  expect(trimInvisible(`${text}\u200B `)).toBe(text)
})

test('a joiner that joins nothing is named', () => {
  expect(invisibleIn('👩‍x️')).toEqual(['U+200D', 'U+FE0F'])
})
