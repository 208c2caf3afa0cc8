import { expect, test } from 'vitest'
import { readPasted } from './pasted-token.ts'

test('a token is taken as it is, without the blanks that copying adds', () => {
  expect(readPasted(' abc/+=?token=x\n')).toEqual({ kind: 'team', token: 'abc/+=?token=x' })
})

test('of a link its token is taken, decoded', () => {
  expect(readPasted('https://ctf.example/login?token=a%2Bb%3D')).toEqual({ kind: 'team', token: 'a+b=' })
  expect(readPasted('https://ctf.example/verify?x=1&token=abc')).toEqual({ kind: 'link', token: 'abc' })
})

test('a link without a token is left to the server to refuse', () => {
  expect(readPasted('https://ctf.example/')).toEqual({ kind: 'team', token: 'https://ctf.example/' })
})
