import { expect, test } from 'vitest'
import { countCarriers, mint, parseBase, shapeOf } from './minting.ts'

const zeros = (count: number) => new Uint8Array(count)
const ones = (count: number) => new Uint8Array(count).fill(1)

test('a base consists of a prefix and printable ASCII in braces', () => {
  expect(parseBase('flag{abc}')).toEqual({ prefix: 'flag', content: 'abc' })
  expect(parseBase('flag{}')).toEqual({ prefix: 'flag', content: '' })
  expect(parseBase('flag{a{b}c}')).toEqual({ prefix: 'flag', content: 'a{b}c' })
  for (const broken of ['flag', 'flag{', 'flag{ä}', 'flag{a}b', 'flag{a\n}', ''])
    expect(parseBase(broken)).toBeNull()
})

test('leet changes each letter by one random bit and nothing else', () => {
  const base = { prefix: 'flag', content: 'abegilost z_9A' }
  expect(mint(base, 'leet', zeros)).toBe('flag{abegilost z_9A}')
  expect(mint(base, 'leet', ones)).toBe('flag{4B3611057 Z_9A}')
  const alternate = (count: number) => Uint8Array.from({ length: count }, (_, at) => at)
  expect(mint(base, 'leet', alternate)).toBe('flag{aBe6i1o5t z_9A}')
})

test('a tail consists of ten hex digits after the content', () => {
  expect(mint({ prefix: 'flag', content: 'abc' }, 'tail', ones)).toBe('flag{abc_0101010101}')
  expect(mint({ prefix: 'flag', content: '' }, 'tail', ones)).toBe('flag{0101010101}')
})

test('auto selects leet from twenty lower-case letters on', () => {
  const short = { prefix: 'f', content: `${'a'.repeat(19)}ABC123` }
  const long = { prefix: 'f', content: 'a'.repeat(20) }
  expect([countCarriers(short), countCarriers(long)]).toEqual([19, 20])
  expect([shapeOf(short, 'auto'), shapeOf(long, 'auto')]).toEqual(['tail', 'leet'])
  expect([shapeOf(long, 'tail'), shapeOf(short, 'leet')]).toEqual(['tail', 'leet'])
})
