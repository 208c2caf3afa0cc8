import { expect, test } from 'vitest'
import { verdictOf } from './pattern.ts'

test('a text is matched in the same way as on the server', () => {
  const pattern = '^flag\\{\\d+\\}$'
  expect(verdictOf({ pattern, flags: '', text: 'flag{12}' })).toBe('match')
  expect(verdictOf({ pattern, flags: '', text: 'FLAG{12}' })).toBe('noMatch')
  expect(verdictOf({ pattern, flags: 'i', text: 'FLAG{12}' })).toBe('match')
  expect(verdictOf({ pattern: '(', flags: '', text: 'x' })).toBe('broken')
  expect(verdictOf({ pattern: 'x', flags: 'q', text: 'x' })).toBe('broken')
  expect(verdictOf({ pattern: '', flags: '', text: 'x' })).toBe('broken')
})
