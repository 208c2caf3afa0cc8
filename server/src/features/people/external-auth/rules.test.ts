import { RedirectUri } from '@pennant/contract/external-auth.ts'
import { expect, test } from 'vitest'
import { redirectTo } from './rules.ts'

test.each([
  ['https://site.example/callback', 'https://site.example/callback?code=c&state=s'],
  [
    'https://site.example/callback?next=%2Fa&x=1',
    'https://site.example/callback?next=%2Fa&x=1&code=c&state=s',
  ],
  ['https://site.example/?code=old&code=older&state=', 'https://site.example/?code=c&state=s'],
  ['http://localhost:8080/#part', 'http://localhost:8080/?code=c&state=s#part'],
])('adds code and state to %s', (address, expected) => {
  expect(redirectTo(address, { code: 'c', state: 's' })).toBe(expected)
})

test('omits a missing state and escapes its value', () => {
  expect(redirectTo('https://site.example/', { code: 'c' })).toBe('https://site.example/?code=c')
  const url = new URL(redirectTo('https://site.example/', { code: 'c', state: 'a&code=evil#é' }))
  expect([url.searchParams.getAll('code'), url.searchParams.get('state')]).toEqual([['c'], 'a&code=evil#é'])
  expect(redirectTo('https://site.example/', { code: 'c', state: '' })).toBe(
    'https://site.example/?code=c&state=',
  )
})

test('addresses must be absolute, use http or https, and contain nothing that browsers interpret differently', () => {
  for (const good of [
    'https://site.example',
    'HTTP://site.example/a?b=c#d',
    'http://127.0.0.1:8080/%20',
    'https://é.example/é',
  ]) {
    expect([good, RedirectUri.safeParse(good).success]).toEqual([good, true])
  }
  const bad = [
    '',
    '/callback',
    '//site.example/callback',
    'site.example',
    'https:site.example',
    'https:/site.example',
    'https://',
    'https://site.example:port/',
    'javascript://site.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://site.example/',
    ' https://site.example/',
    'https://site.example/ ',
    'https://site.example/\n',
    'https://site.example\\@evil.example/',
    `https://site.example/${'x'.repeat(1024)}`,
  ]
  for (const text of bad) expect([text, RedirectUri.safeParse(text).success]).toEqual([text, false])
})
