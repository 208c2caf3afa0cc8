import { expect, test } from 'vitest'
import { lineOf } from './csv-line.ts'

test('cells that a spreadsheet would evaluate are escaped as text', () => {
  expect(lineOf(['=1+1', '+1', '-1', '@a', '\tb', '\rc', 'd=1'])).toBe(
    `"'=1+1","'+1","'-1","'@a","'\tb","'\rc","d=1"\r\n`,
  )
})

test('quotes, commas and line breaks stay inside their cell', () => {
  expect(lineOf(['a "b"', 'c,d', 'e\nf'])).toBe('"a ""b""","c,d","e\nf"\r\n')
})
