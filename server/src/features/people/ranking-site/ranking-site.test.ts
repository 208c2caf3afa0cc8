import { afterEach, beforeEach, expect, test } from 'vitest'
import { siteClient, startFakeRankingSite, type FakeRankingSite } from '../../../../test/ranking-site.ts'
import { createRankingSite } from './ranking-site.ts'

let site: FakeRankingSite
beforeEach(async () => {
  site = await startFakeRankingSite()
})
afterEach(() => site[Symbol.asyncDispose]())

const find = (code: string, limitMs = 5000) => {
  const { tokenUrl, userUrl } = site
  return createRankingSite({ ...siteClient, tokenUrl, userUrl, limitMs }, fetch).findTeam(code)
}

test('exchanges the code with a form and requests the user with the bearer token', async () => {
  site.teams.set('a code', { id: 4711, name: 'Ants & Co', country: 'NZ' })
  expect(await find('a code')).toEqual({ extrankId: '4711', name: 'Ants & Co' })
  const [token, user] = site.requests
  expect(token).toMatchObject({ method: 'POST', type: 'application/x-www-form-urlencoded;charset=UTF-8' })
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
    client_id: siteClient.clientId,
    client_secret: siteClient.clientSecret,
    code: 'a code',
  })
  expect(user).toMatchObject({ method: 'GET', path: '/user', authorization: 'Bearer access a code' })
})

test('finds no team if the code is refused or the user has none', async () => {
  expect(await find('unknown')).toBeNull()
  expect(site.requests).toHaveLength(1)
  for (const [code, team] of [
    ['a', null],
    ['b', undefined],
  ] as const) {
    site.teams.set(code, team)
    expect(await find(code)).toBeNull()
  }
})

test('accepts text ids and truncates long names', async () => {
  site.teams.set('a', { id: 'team-7', name: '🐜'.repeat(5000) })
  const team = await find('a')
  expect(team?.extrankId).toBe('team-7')
  expect(team?.name.length).toBeLessThanOrEqual(256)
})

const good = { id: 1, name: 'Ants' }

test.each([
  ['a token that is none', '/token', '{"access_token":""}'],
  ['a token that cannot be a header', '/token', String.raw`{"access_token":"top\nsecret"}`],
  ['no token', '/token', '{"error":"top secret"}'],
  ['no JSON', '/token', 'access_token=top secret'],
  ['no object', '/token', '"top secret"'],
  ['no JSON', '/user', '<html>top secret'],
  ['no object', '/user', '[]'],
  ['a team without an id', '/user', '{"team":{"name":"top secret"}}'],
  ['a team without a name', '/user', '{"team":{"id":1}}'],
  ['an id that is no whole number', '/user', '{"team":{"id":1.5,"name":"x"}}'],
  ['an id of too many digits', '/user', '{"team":{"id":1e30,"name":"x"}}'],
  ['an id that cannot be stored', '/user', String.raw`{"team":{"id":"a\u0000","name":"x"}}`],
  ['an id without a character', '/user', '{"team":{"id":"","name":"x"}}'],
  ['too much', '/user', `{"team":{"id":1,"name":"${'x'.repeat(300_000)}"}}`],
])('fails on %s from %s without repeating the response', async (_what, path, body) => {
  site.teams.set('a', good)
  site.responses.set(path, { body })
  const error: unknown = await find('a').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  const texts = error instanceof Error ? [error.message, error.cause] : []
  expect(texts).toEqual([expect.stringMatching(/^the ranking site /), undefined])
  expect(String(texts[0])).not.toMatch(/secret|access/)
})

test.each([
  [400, '/token'],
  [403, '/token'],
  [500, '/token'],
  [401, '/user'],
  [404, '/user'],
  [503, '/user'],
])('fails on status %i from %s', async (status, path) => {
  site.teams.set('a', good)
  site.responses.set(path, { status, body: '{"access_token":"x","team":{"id":1,"name":"x"}}' })
  await expect(find('a')).rejects.toThrow(`status ${status}`)
})

test('does not follow redirects, which would send the secret elsewhere', async () => {
  site.teams.set('a', good)
  for (const path of ['/token', '/user']) {
    site.responses.set(path, { status: 307, body: '', headers: { location: '/elsewhere' } })
    await expect(find('a')).rejects.toThrow('the ranking site')
    site.responses.delete(path)
  }
  expect(site.requests.map((request) => request.path)).not.toContain('/elsewhere')
})

test('gives up on a site that does not respond or does not exist', async () => {
  site.teams.set('a', good)
  site.responses.set('/user', null)
  await expect(find('a', 100)).rejects.toThrow('TimeoutError')
  const gone = await startFakeRankingSite()
  await gone[Symbol.asyncDispose]()
  const nowhere = { ...siteClient, tokenUrl: gone.tokenUrl, userUrl: site.userUrl }
  await expect(createRankingSite(nowhere, fetch).findTeam('a')).rejects.toThrow('ECONNREFUSED')
})
