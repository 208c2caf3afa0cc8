import { expect, test } from 'vitest'
import { secretHash } from '../../../lib/secret-hash.ts'
import { isApiToken, newApiToken } from './secret.ts'

test('a token has a recognisable form with a checksum', () => {
  const tokens = Array.from({ length: 100 }, newApiToken)
  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) {
    expect(token).toMatch(/^pnt_[0-9A-Za-z]{49}$/)
    expect(isApiToken(token)).toBe(true)
  }
})

test('a text of this form with another checksum is none', () => {
  const token = newApiToken()
  const other = token.endsWith('0') ? '1' : '0'
  for (const text of ['', 'pnt_', token.slice(0, -1), `${token}0`, ` ${token}`, token.slice(0, -1) + other])
    expect(isApiToken(text), text).toBe(false)
  expect(isApiToken(token.replace('pnt_', 'PNT_'))).toBe(false)
  expect(secretHash(token)).toHaveLength(32)
})
