import { expect, test } from 'vitest'
import { decodeDataUri } from './data-uri.ts'

const decoded = (text: string) => decodeDataUri(text)?.toString('latin1') ?? null

test('decodes base64 with any or no media type', () => {
  expect(decoded('data:text/plain;base64,aGVsbG8=')).toBe('hello')
  expect(decoded('data:;base64,aGVsbG8=')).toBe('hello')
  expect(decoded('DATA:application/binary;BASE64,aGVsbG8')).toBe('hello')
  expect(decoded('data:text/plain;charset=utf-8;base64,aGVs bG8=\r\n')).toBe('hello')
  expect(decoded('data:;base64,%61GVsbG8%3D')).toBe('hello')
  expect(decoded('data:;base64,')).toBe('')
})

test('decodes text without base64 as percent-encoded', () => {
  expect(decoded('data:,hello%20world')).toBe('hello world')
  expect(decoded('data:text/plain,%ff%00%2C')).toBe('\xff\0,')
  expect(decodeDataUri('data:,ü')?.toString()).toBe('ü')
  expect(decoded('data:,')).toBe('')
})

test('rejects anything else', () => {
  for (const broken of [
    '',
    'data:',
    'data:text/plain;base64',
    'http://x,y',
    'data:;base64,a',
    'data:;base64,aGVsbG8==',
    'data:;base64,aGV*',
    'data:;base64,aG=sbG8=',
    'data:,%',
    'data:,%zz',
    'data:;base64,%',
  ]) {
    expect(decodeDataUri(broken), broken).toBeNull()
  }
})
