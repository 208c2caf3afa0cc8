import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

test('shows which lines were added and removed, in their order', () => {
  expect(shown('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
  expect(shown('a', 'a')).toEqual([' a'])
  expect(shown('', 'a\nb')).toEqual(['-', '+a', '+b'])
  expect(shown('a\nb\nc\nd', 'c\nd\na\nb').filter((line) => line.startsWith(' '))).toHaveLength(2)
})

test('shows very long texts whole', () => {
  const lines = Array.from({ length: 2500 }, (_, at) => String(at)).join('\n')
  expect(lineDiff(lines, `${lines}\nend`)).toHaveLength(5001)
})
