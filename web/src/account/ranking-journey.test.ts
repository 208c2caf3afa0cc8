import { expect, test } from 'vitest'
import { consentAddress } from './ranking-journey.ts'

test('the consent URL contains the client, the scope and the redirect URI', () => {
  const site = { clientId: 'us & them', authorizeUrl: 'https://rank.example/authorize?tenant=7' }
  const url = new URL(consentAddress(site, 'abc', 'https://ctf.example'))
  expect(url.origin + url.pathname).toBe('https://rank.example/authorize')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: '7',
    response_type: 'code',
    scope: 'team:read',
    client_id: 'us & them',
    redirect_uri: 'https://ctf.example/integrations/extrank/callback',
    state: 'abc',
  })
  const registered = { ...site, callbackPath: '/integrations/ctftime/callback' }
  expect(
    new URL(consentAddress(registered, 'abc', 'https://ctf.example')).searchParams.get('redirect_uri'),
  ).toBe('https://ctf.example/integrations/ctftime/callback')
})
