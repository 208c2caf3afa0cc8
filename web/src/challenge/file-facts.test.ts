import { expect, test } from 'vitest'
import { hashIn, sortOfFile } from './file-facts.ts'

test('the hash is read from the URL', () => {
  const hash = '0f'.repeat(32)
  expect(hashIn(`/uploads/${hash.toUpperCase()}/a.zip`)).toBe(hash)
  expect(hashIn(`https://cdn.example/x/${hash}`)).toBe(hash)
  expect(hashIn('/uploads/a.zip')).toBeNull()
  expect(hashIn(`/uploads/${hash}0/a.zip`)).toBeNull()
})

test('the kind of a file is determined by its extension', () => {
  expect(['a.tar.gz', 'B.PNG', 'x.py', 'vuln', 'a.elf'].map(sortOfFile)).toEqual([
    'archive',
    'picture',
    'text',
    'other',
    'other',
  ])
})
