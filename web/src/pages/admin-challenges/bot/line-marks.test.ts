import { expect, test } from 'vitest'
import { lineMarks } from './line-marks.ts'

test('the lines that a message names get a marker', () => {
  expect(lineMarks('line 3, column 7: Expected ";"\nline 9, column 1: Unexpected end')).toEqual([
    { line: 3, message: 'Expected ";"', severity: 'error' },
    { line: 9, message: 'Unexpected end', severity: 'error' },
  ])
  expect(lineMarks('no worker answered')).toEqual([])
  expect(lineMarks(undefined)).toEqual([])
})
