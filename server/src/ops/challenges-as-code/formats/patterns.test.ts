import { expect, test } from 'vitest'
import { fnmatch, glob } from './patterns.ts'

// Expected values are those of Python 3.11.

test.each([
  ['*.txt', 'src/a.txt', true],
  ['src', 'src/a', false],
  ['src/', 'src/a', false],
  ['s?c/*', 'src/a/b', true],
  ['[ab].txt', 'b.txt', true],
  ['[!ab].txt', 'b.txt', false],
  ['[^ab].txt', '^.txt', true],
  ['[]x].txt', '].txt', true],
  ['[*].txt', '*.txt', true],
  ['[a.txt', '[a.txt', true],
  ['[z-a]', 'm', false],
  ['[!z-a]', 'm', true],
  ['{a,b}', 'a', false],
  ['a+(b)', 'a+(b)', true],
  ['./a', 'a', false],
])('fnmatch %s on %s is %s', (pattern, path, matches) => {
  expect(fnmatch(pattern)(path)).toBe(matches)
})

test.each([
  ['*', ['x', '.hidden']],
  ['**', ['x', '.hidden', 'a/x', 'a/b/y', 'a/.h']],
  ['**/x', ['x', 'a/x']],
  ['a/**', ['a/x', 'a/b/y', 'a/.h']],
  ['a/*', ['a/x', 'a/.h']],
  ['**/b/*', ['a/b/y']],
  ['./a//x', ['a/x']],
  ['a**/x', ['a/x']],
  ['*/', []],
])('glob %s finds %j', (pattern, expected) => {
  const files = ['x', '.hidden', 'a/x', 'a/b/y', 'a/.h']
  expect(files.filter(glob(pattern).exact)).toEqual(expected)
})

test('takes everything below a folder that matches, if wanted', () => {
  expect(['a/b/y', 'a/x', 'x'].filter(glob('a/?').below)).toEqual(['a/b/y', 'a/x'])
})

test('hostile patterns do not backtrack', () => {
  expect(fnmatch(`${'*a'.repeat(2000)}b`)('a'.repeat(4000))).toBe(false)
  expect(glob('**/a/'.repeat(500)).exact('a/'.repeat(1000))).toBe(false)
})
