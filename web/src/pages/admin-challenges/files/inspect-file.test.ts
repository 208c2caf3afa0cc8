import { expect, test } from 'vitest'
import { hashOf, isTooLargeToHash, searchFlags } from './inspect-file.ts'

test('the hash is computed from the content', async () => {
  expect(await hashOf(new Blob(['abc']))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test('flags are found in text files only', async () => {
  const flags = ['', 'flag{a}', 'flag{b}']
  expect(await searchFlags(new Blob(['x = "flag{b}"']), flags)).toBe('found')
  expect(await searchFlags(new Blob(['flag{c}']), flags)).toBe('none')
  expect(await searchFlags(new Blob(['\0\u0001flag{a}']), flags)).toBe('none')
  expect(await searchFlags(new Blob(['flag{a}']), [''])).toBe('none')
})

test('files that are too large to inspect are reported', async () => {
  const large = new Uint8Array(16 * 1024 * 1024 + 1)
  expect(await searchFlags(new Blob([large]), ['flag{a}'])).toBe('none')
  large.fill(65)
  expect(await searchFlags(new Blob([large]), ['flag{a}'])).toBe('tooLarge')
  expect(await searchFlags(new Blob([large]), [])).toBe('none')
  expect(isTooLargeToHash(new Blob([large]))).toBe(false)
  expect(isTooLargeToHash({ size: 256 * 1024 * 1024 + 1 })).toBe(true)
})
