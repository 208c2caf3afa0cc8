import { expect, test } from 'vitest'
import { fileLink, formatted, type Format } from './markdown-format.ts'

function apply(text: string, selected: string, format: Format) {
  const from = text.indexOf(selected)
  const change = formatted(text, { from, to: from + selected.length }, format)
  const after = text.slice(0, change.from) + change.insert + text.slice(change.to)
  return [after, after.slice(change.select.from, change.select.to)]
}

test('what is selected is put between signs and stays selected', () => {
  expect(apply('a word b', 'word', 'bold')).toEqual(['a **word** b', 'word'])
  expect(apply('a word b', 'word', 'link')).toEqual(['a [word](https://) b', 'word'])
  expect(apply('a word b', 'word', 'code')).toEqual(['a `word` b', 'word'])
  expect(apply('one\ntwo', 'one\ntwo', 'code')).toEqual(['```\none\ntwo\n```', 'one\ntwo'])
})

test('where nothing is selected a word stands that can be typed over', () => {
  expect(apply('', '', 'italic')).toEqual(['*italic*', 'italic'])
})

test('lines are marked from their begin', () => {
  expect(apply('one\ntwo\nthree', 'wo\nthr', 'list')[0]).toBe('one\n- two\n- three')
  expect(apply('one\ntwo', 'two', 'note')[0]).toBe('one\n> [!NOTE]\n> two')
  expect(apply('nc host 1', 'nc', 'connection')[0]).toBe('> [!CONNECTION]\n> nc host 1')
})

test('files are linked, pictures shown, and odd names stay in their place', () => {
  expect(fileLink('a.png', '/uploads/1/a.png', true)).toBe('![a.png](/uploads/1/a.png)')
  expect(fileLink('a].zip', '/uploads/a (1).zip', false)).toBe(String.raw`[a\].zip](</uploads/a (1).zip>)`)
})
