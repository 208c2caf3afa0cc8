import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('texts that a spreadsheet would run begin with an apostrophe', () => {
  for (const sign of ['=', '+', '-', '@', '\t']) expect(csvLine([`${sign}1`])).toBe(`'${sign}1\r\n`)
  expect(csvLine(['\r1'])).toBe(`"'\r1"\r\n`)
  expect(csvLine([-1, 'a-b'])).toBe('-1,a-b\r\n')
})

test('separators, quotes and line breaks are quoted', () => {
  expect(csvLine(['a,b', 'a"b', 'a\nb', '=1,2'])).toBe(`"a,b","a""b","a\nb","'=1,2"\r\n`)
  expect(csvLine([null, undefined, { a: 1 }])).toBe(`,,"{""a"":1}"\r\n`)
})
