import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { sampleOf } from './sample.ts'

const origin = 'https://ctf.example'
const client = { id: 'abc', redirectUri: 'https://shop.example/back?x=1&y=2' }

test('the authorization URL contains the client and the redirect URI', () => {
  const { searchParams, pathname } = new URL(sampleOf({ origin, client }).send)
  expect(pathname).toBe('/external-auth/authorize')
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'abc',
    redirect_uri: 'https://shop.example/back?x=1&y=2',
    state: 'STATE',
  })
})

test('the exchange command sends valid JSON when run in a shell', () => {
  const asEcho = sampleOf({ origin, client }).exchange.replace('curl ', 'printf "%s\\n" ')
  const env = { ...process.env, CLIENT_SECRET: 's3', CODE: 'c0' }
  const lines = execFileSync('sh', ['-c', asEcho], { env, encoding: 'utf8' }).trim().split('\n')
  expect(lines[0]).toBe('https://ctf.example/api/v2/external-auth/token')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ clientId: 'abc', clientSecret: 's3', code: 'c0' })
})
