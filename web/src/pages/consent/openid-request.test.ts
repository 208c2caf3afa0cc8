import { expect, test } from 'vitest'
import { openIdRequestIn } from './openid-request.ts'

const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const good = {
  response_type: 'code',
  scope: 'openid email division offline_access',
  nonce: 'n',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
}

test('a request is read without the scopes that do not exist', () => {
  const request = { scopes: ['openid', 'division'], nonce: 'n', codeChallenge }
  expect(openIdRequestIn(new URLSearchParams(good))).toEqual(request)
})

test.each([
  ['without PKCE', { code_challenge: '' }],
  ['with a plain challenge', { code_challenge_method: 'plain' }],
  ['for a token in the address', { response_type: 'id_token' }],
  ['for a response in the fragment', { response_mode: 'fragment' }],
  ['without openid', { scope: 'profile' }],
  ['with a request object', { request: 'x' }],
  ['with a request object elsewhere', { request_uri: 'https://evil.example' }],
  ['with a long nonce', { nonce: 'x'.repeat(256) }],
])('a request %s is refused', (_what, changed) => {
  expect(openIdRequestIn(new URLSearchParams({ ...good, ...changed }))).toBeNull()
})
