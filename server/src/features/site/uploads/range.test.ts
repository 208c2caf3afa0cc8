import { expect, test } from 'vitest'
import { readRange } from './range.ts'

test('a range has a first and last byte, or a number of bytes at the end', () => {
  expect(readRange('bytes=0-0', 10)).toEqual({ start: 0, end: 0 })
  expect(readRange('bytes=2-5', 10)).toEqual({ start: 2, end: 5 })
  expect(readRange('bytes=2-', 10)).toEqual({ start: 2, end: 9 })
  expect(readRange('bytes=2-99', 10)).toEqual({ start: 2, end: 9 })
  expect(readRange('bytes=-3', 10)).toEqual({ start: 7, end: 9 })
  expect(readRange('bytes=-99', 10)).toEqual({ start: 0, end: 9 })
})

test('a range beyond the end is not satisfiable', () => {
  expect(readRange('bytes=10-', 10)).toBe('none')
  expect(readRange('bytes=-0', 10)).toBe('none')
  expect(readRange('bytes=0-', 0)).toBe('none')
})

test('serves the whole file for multiple, invalid and unsupported ranges', () => {
  for (const header of ['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', '']) {
    expect(readRange(header, 10), header).toBe('whole')
  }
})
