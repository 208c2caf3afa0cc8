import { expect, test } from 'vitest'
import { readPasted } from './pasted-token.ts'

test('a token is used as is, without surrounding whitespace', () => {
  expect(readPasted(' abc/+=?token=x\n')).toEqual({ kind: 'team', token: 'abc/+=?token=x' })
})

test('the token of a link is extracted and decoded', () => {
  expect(readPasted('https://ctf.example/login?token=a%2Bb%3D')).toEqual({ kind: 'team', token: 'a+b=' })
  expect(readPasted('https://ctf.example/verify?x=1&token=abc')).toEqual({ kind: 'link', token: 'abc' })
  expect(readPasted('https://ctf.example/verify#token=a%2Bb%3D')).toEqual({ kind: 'link', token: 'a+b=' })
  expect(readPasted('https://ctf.example/login#token=abc')).toEqual({ kind: 'team', token: 'abc' })
})

test('a link without a token is passed to the server, which refuses it', () => {
  expect(readPasted('https://ctf.example/')).toEqual({ kind: 'team', token: 'https://ctf.example/' })
})
