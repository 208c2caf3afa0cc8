import { expect, test } from 'vitest'
import { csvFile } from './csv-line.ts'

test('cells that a spreadsheet would evaluate are escaped as text', () => {
  expect(csvFile([], [['=1+1', '+1', '-1', '@a', '\tb', '\rc', 'd=1']])).toBe(
    `\uFEFF\r\n"'=1+1","'+1","'-1","'@a","'\tb","'\rc","d=1"\r\n`,
  )
})

test('quotes, commas and line breaks stay inside their cell', () => {
  expect(csvFile([], [['a "b"', 'c,d', 'e\nf']])).toBe('\uFEFF\r\n"a ""b""","c,d","e\nf"\r\n')
})
