import { expect, test } from 'vitest'
import { csvHead, csvLine } from './csv.ts'

test('texts that a spreadsheet would run begin with an apostrophe', () => {
  for (const sign of ['=', '+', '-', '@']) expect(csvLine([`${sign}1`])).toBe(`'${sign}1\r\n`)
  for (const sign of ['\t', '\r']) expect(csvLine([`${sign}1`])).toBe(`"'${sign}1"\r\n`)
  expect(csvLine([-1, 'a-b'])).toBe('-1,a-b\r\n')
})

test('what begins a cell for another separator is no formula either', () => {
  for (const [text, safe] of [
    ['a;=1', "a;'=1"],
    ['a\t+1', "a\t'+1"],
    ['a\n-1', "a\n'-1"],
    ['a\r\n@x', "a\r\n'@x"],
    ['；;＝1', "；;'＝1"],
    ['=1;=2', "'=1;'=2"],
  ])
    expect(csvLine([text])).toBe(`"${safe}"\r\n`)
  expect(csvLine(['a; b', 'a=1', 'a-1'])).toBe('"a; b",a=1,a-1\r\n')
})

test('separators, quotes and line breaks are quoted', () => {
  expect(csvLine(['a,b', 'a"b', 'a\nb', '=1,2'])).toBe(`"a,b","a""b","a\nb","'=1,2"\r\n`)
  expect(csvLine([null, undefined, { a: 1 }])).toBe(`,,"{""a"":1}"\r\n`)
})

test('a file begins with a byte order mark, lines do not', () => {
  expect(csvHead(['a', 'b'])).toBe('\uFEFFa,b\r\n')
  expect(csvLine(['ä'])).toBe('ä\r\n')
})
