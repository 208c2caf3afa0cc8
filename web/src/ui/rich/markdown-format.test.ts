import { expect, test } from 'vitest'
import { fileLink, formatted, type Format } from './markdown-format.ts'

function apply(text: string, selected: string, format: Format) {
  const from = text.indexOf(selected)
  const change = formatted(text, { from, to: from + selected.length }, format)
  const after = text.slice(0, change.from) + change.insert + text.slice(change.to)
  return [after, after.slice(change.select.from, change.select.to)]
}

test('selected text is wrapped in Markdown and stays selected', () => {
  expect(apply('a word b', 'word', 'bold')).toEqual(['a **word** b', 'word'])
  expect(apply('a word b', 'word', 'link')).toEqual(['a [word](https://) b', 'word'])
  expect(apply('a word b', 'word', 'code')).toEqual(['a `word` b', 'word'])
  expect(apply('one\ntwo', 'one\ntwo', 'code')).toEqual(['```\none\ntwo\n```', 'one\ntwo'])
})

test('without a selection a selected placeholder is inserted', () => {
  expect(apply('', '', 'italic')).toEqual(['*italic*', 'italic'])
})

test('line formats apply to whole lines', () => {
  expect(apply('one\ntwo\nthree', 'wo\nthr', 'list')[0]).toBe('one\n- two\n- three')
  expect(apply('one\ntwo', 'two', 'note')[0]).toBe('one\n> [!NOTE]\n> two')
  expect(apply('nc host 1', 'nc', 'connection')[0]).toBe('> [!CONNECTION]\n> nc host 1')
})

test('files are linked, images embedded, and special characters in names escaped', () => {
  expect(fileLink('a.png', '/uploads/1/a.png', true)).toBe('![a.png](/uploads/1/a.png)')
  expect(fileLink('a].zip', '/uploads/a (1).zip', false)).toBe(String.raw`[a\].zip](</uploads/a (1).zip>)`)
})
