import * as external from '@pennant/contract/external-auth.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/openid.ts'
import { readOwnProfileV2, signOutEverywhere } from '@pennant/contract/teams.ts'
import * as client from 'openid-client'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setBanned } from '../../../../test/contest-data.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'
import { checkResponse } from '../../../../test/strict.ts'
import { addKey, RETIRED_MS } from './keys.ts'

// The client is the certified one of npm.

const origin = 'https://ctf.example'
const issuer = `${origin}/api/v2/openid`
const redirectUri = 'https://wiki.example/back'
let contest: Contest
let replica: Contest
let admin: Member
let team: Member
let site: Site
beforeAll(async () => {
  contest = await startContest({ startsAt: Date.now() })
  replica = await startContest({ beside: contest })
  admin = await contest.admin()
  site = await createSite()
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await contest[Symbol.asyncDispose]()
})
beforeEach(async () => {
  team = await contest.team()
})

interface Site {
  readonly id: string
  readonly secret: string
}

async function createSite(kind: 'openid' | 'external-auth' = 'openid'): Promise<Site> {
  const body = { name: 'Wiki', redirectUri, kind }
  const { data } = await contest.call(external.createExternalAuthClient, { token: admin.token, body })
  return data as Site
}

/** Requests for the public address go to one of the two servers in turn. */
let turn = 0
const toServers: client.CustomFetch = async (url, options) => {
  const response = await fetch(
    url.replace(origin, (turn++ % 2 ? replica : contest).url),
    options as RequestInit,
  )
  if (url.endsWith(contract.exchangeOpenIdCode.path))
    checkResponse(contract.exchangeOpenIdCode, response, await response.clone().json())
  return response
}

async function configurationOf({ id, secret }: Site, auth = client.ClientSecretPost(secret)) {
  const options = { [client.customFetch]: toServers }
  const found = await client.discovery(new URL(issuer), id, { [client.clockTolerance]: 5 }, auth, options)
  found[client.customFetch] = toServers
  return found
}

const secrets = () => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
})
type Secrets = ReturnType<typeof secrets>

/** What the page does when the visitor agrees. Returns where the browser goes. */
async function agree({ state, nonce, verifier }: Secrets, { token = team.token, clientId = site.id } = {}) {
  const codeChallenge = await client.calculatePKCECodeChallenge(verifier)
  const openid = { scopes: [...contract.openIdScopes], nonce, codeChallenge }
  const body = { clientId, redirectUri, state, openid }
  const result = await contest.call(external.authorizeExternalAuth, { token, body })
  if (result.kind !== 'goodExternalAuthAuthorize') throw new Error(result.kind)
  return new URL(result.data.redirectTo)
}

const grant = async (back: URL, { state, nonce, verifier }: Secrets, of = site) =>
  await client.authorizationCodeGrant(await configurationOf(of), back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })

async function signIn(member = team) {
  const own = secrets()
  return await grant(await agree(own, { token: member.token }), own)
}

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    ({ error, code }: { error?: string; code: string }) => error ?? code,
  )

describe('a site', () => {
  test('learns who the team is, by both ways to send its secret', async () => {
    const { data } = await contest.call(readOwnProfileV2, { token: team.token })
    const { name, division } = data as { name: string; division: string }
    const expected = { sub: `team:${team.id}`, name, team: { id: team.id, name }, division }
    const tokens = await signIn()
    expect(tokens.claims()).toMatchObject({ ...expected, iss: issuer, aud: site.id })
    expect(tokens.expires_in).toBe(300)
    const own = secrets()
    const basic = await configurationOf(site, client.ClientSecretBasic(site.secret))
    const again = await client.authorizationCodeGrant(basic, await agree(own), {
      expectedState: own.state,
      expectedNonce: own.nonce,
      pkceCodeVerifier: own.verifier,
    })
    expect(await client.fetchUserInfo(basic, again.access_token, expected.sub)).toEqual(expected)
    const post = await contest.call(contract.postOpenIdUser, {
      headers: { authorization: `Bearer ${again.access_token}` },
    })
    expect([post.status, post.data]).toEqual([200, expected])
  })

  test('knows a person by the same subject after a move to another team', async () => {
    const person = await personIn(contest, team.id, { name: 'Ada' })
    expect((await signIn(person)).claims()).toMatchObject({ sub: `person:${person.id}`, name: 'Ada' })
  })

  test('learns only what the scopes name', async () => {
    const own = secrets()
    const codeChallenge = await client.calculatePKCECodeChallenge(own.verifier)
    const body = { clientId: site.id, redirectUri, state: own.state }
    const openid = { scopes: ['openid' as const], nonce: own.nonce, codeChallenge }
    const { data } = await contest.call(external.authorizeExternalAuth, {
      token: team.token,
      body: { ...body, openid },
    })
    const tokens = await grant(new URL((data as { redirectTo: string }).redirectTo), own)
    const names = ['iss', 'aud', 'iat', 'exp', 'auth_time', 'nonce', 'sub']
    expect(Object.keys(tokens.claims() ?? {}).toSorted()).toEqual(names.toSorted())
  })

  test('gets an access token that is no token of the team', async () => {
    const { access_token: token } = await signIn()
    expect((await contest.call(readOwnProfileV2, { token })).kind).toBe('badToken')
  })

  test('verifies signatures after a rotation, and the earlier key goes after a day', async () => {
    const keysNow = async () => {
      contest.clock.advance(2 * MINUTE_MS)
      const { data } = await contest.call(contract.readOpenIdKeys, {})
      return (data as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
    }
    await using aged = await startContest({ startsAt: Date.now() })
    const { db } = aged
    const tokenKey = Buffer.alloc(32, 7)
    const deps = { db, now: () => aged.clock.now(), tokenKey }
    const first = await addKey(deps, { onlyFirst: true })
    await addKey(deps, { onlyFirst: true })
    aged.clock.advance(1000)
    const second = await addKey(deps, { onlyFirst: false })
    const published = async () => {
      aged.clock.advance(2 * MINUTE_MS)
      const { data } = await aged.call(contract.readOpenIdKeys, {})
      return (data as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
    }
    expect(await published()).toEqual([second, first])
    aged.clock.advance(RETIRED_MS)
    expect(await published()).toEqual([second])
    const [stored] = await db.query<{ text: string }>(sql`select private_key as text from openid_keys`)
    expect(stored?.text).not.toMatch(/^MII/)
    expect(await keysNow()).toHaveLength(1)
  })
})

describe('a code is refused', () => {
  test('the second time, and the first token ends', async () => {
    const own = secrets()
    const back = await agree(own)
    const { access_token: token } = await grant(back, own)
    const user = async () =>
      (await contest.call(contract.readOpenIdUser, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await user()).toBe(200)
    expect(await errorOf(grant(back, own))).toBe('invalid_grant')
    expect(await user()).toBe(401)
  })

  test('of two at once, for one of them', async () => {
    const own = secrets()
    const back = await agree(own)
    const outcomes = await Promise.all([errorOf(grant(back, own)), errorOf(grant(back, own))])
    expect(outcomes.toSorted()).toEqual(['invalid_grant', 'none'])
  })

  test.each([
    ['another verifier', (own: Secrets) => ({ ...own, verifier: client.randomPKCECodeVerifier() })],
    ['an empty verifier', (own: Secrets) => ({ ...own, verifier: '' })],
  ])('with %s', async (_what, change) => {
    const own = secrets()
    const back = await agree(own)
    const form = { code: back.searchParams.get('code') ?? '', code_verifier: change(own).verifier }
    expect(await askToken(form)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(grant(back, own))).toBe('invalid_grant')
  })

  test('with another redirect address, of another site, and after a minute', async () => {
    const own = secrets()
    const code = (await agree(own)).searchParams.get('code') ?? ''
    const good = { code, code_verifier: own.verifier }
    expect(await askToken({ ...good, redirect_uri: 'https://evil.example/' })).toEqual([400, 'invalid_grant'])
    const other = await createSite()
    const stolen = secrets()
    expect(await errorOf(grant(await agree(stolen), stolen, other))).toBe('invalid_grant')
    const late = secrets()
    const back = await agree(late)
    contest.clock.advance(MINUTE_MS)
    expect(
      await askToken({ code: back.searchParams.get('code') ?? '', code_verifier: late.verifier }),
    ).toEqual([400, 'invalid_grant'])
  })

  test('after the team signed out everywhere or was banned; its tokens end too', async () => {
    const own = secrets()
    const back = await agree(own)
    const { access_token: token } = await signIn()
    contest.clock.advance(1000)
    await contest.call(signOutEverywhere, { token: team.token })
    const form = { code: back.searchParams.get('code') ?? '', code_verifier: own.verifier }
    expect(await askToken(form)).toEqual([400, 'invalid_grant'])
    const headers = { authorization: `Bearer ${token}` }
    expect((await contest.call(contract.readOpenIdUser, { headers })).status).toBe(401)

    const banned = await contest.team()
    const theirs = secrets()
    const code = (await agree(theirs, { token: banned.token })).searchParams.get('code') ?? ''
    await setBanned(contest.db, banned.id, true)
    await contest.app.stores.follower.catchUp()
    expect(await askToken({ code, code_verifier: theirs.verifier })).toEqual([400, 'invalid_grant'])
    await expect(agree(secrets(), { token: banned.token })).rejects.toThrow('badPerms')
  })

  test('at the API of external-auth, and a code of external-auth here', async () => {
    const own = secrets()
    const code = (await agree(own)).searchParams.get('code') ?? ''
    const body = { clientId: site.id, clientSecret: site.secret, code }
    const exchanged = await contest.call(external.exchangeExternalAuthCode, { body })
    expect(exchanged.kind).toBe('badExternalAuthRequest')
    const plain = await createSite('external-auth')
    const codeChallenge = await client.calculatePKCECodeChallenge(own.verifier)
    const openid = { scopes: ['openid' as const], codeChallenge }
    for (const request of [
      { clientId: plain.id, redirectUri, openid },
      { clientId: site.id, redirectUri },
    ])
      expect(
        (await contest.call(external.authorizeExternalAuth, { token: team.token, body: request })).kind,
      ).toBe('badExternalAuthRequest')
    expect(await askToken({ code, client_id: plain.id, client_secret: plain.secret })).toEqual([
      401,
      'invalid_client',
    ])
  })
})

test('a deleted site ends its tokens and gets no new ones', async () => {
  const gone = await createSite()
  const own = secrets()
  const { access_token: token } = await grant(await agree(own, { clientId: gone.id }), own, gone)
  await contest.call(external.deleteExternalAuthClient, {
    token: admin.token,
    params: { id: gone.id },
    query: {},
  })
  const headers = { authorization: `Bearer ${token}` }
  expect((await contest.call(contract.readOpenIdUser, { headers })).status).toBe(401)
  await expect(agree(secrets(), { clientId: gone.id })).rejects.toThrow('badExternalAuthRequest')
})

test('an access token expires after five minutes', async () => {
  const { access_token: token } = await signIn()
  const headers = { authorization: `Bearer ${token}` }
  contest.clock.advance(5 * MINUTE_MS)
  expect((await contest.call(contract.readOpenIdUser, { headers })).status).toBe(401)
})

test('a response of another issuer is refused by the client', async () => {
  const own = secrets()
  const back = await agree(own)
  back.searchParams.set('iss', 'https://evil.example')
  expect(await errorOf(grant(back, own))).toBe('OAUTH_INVALID_RESPONSE')
})

/** Sends a form to the token endpoint. Returns the status and the error. */
async function askToken(form: Record<string, string>, init: RequestInit = {}) {
  const all = {
    grant_type: 'authorization_code',
    client_id: site.id,
    client_secret: site.secret,
    redirect_uri: redirectUri,
    ...form,
  }
  const response = await fetch(`${contest.url}/api/v2/openid/token`, {
    method: 'POST',
    body: new URLSearchParams(all),
    ...init,
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
  const body = (await response.json()) as { error?: string; kind?: string }
  checkResponse(contract.exchangeOpenIdCode, response, body)
  return [response.status, body.error ?? body.kind]
}

test.each([
  ['a wrong secret', { client_secret: 'x' }, {}, [401, 'invalid_client']],
  ['no secret', { client_secret: '' }, {}, [401, 'invalid_client']],
  ['an unknown site', { client_id: 'x' }, {}, [401, 'invalid_client']],
  ['a header of another site', {}, { headers: { authorization: 'Basic eDp5' } }, [401, 'invalid_client']],
  ['another grant', { grant_type: 'password' }, {}, [400, 'unsupported_grant_type']],
  ['an unknown code', { code: 'x' }, {}, [400, 'invalid_grant']],
  ['JSON', {}, { body: '{}', headers: { 'content-type': 'application/json' } }, [400, 'invalid_request']],
  [
    'a repeated parameter',
    {},
    { body: 'code=1&code=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    [400, 'invalid_request'],
  ],
  ['too large a body', { code: 'x'.repeat(20_000) }, {}, [413, 'badBodySize']],
] as const)('the token endpoint refuses %s', async (...[, form, init, expected]) => {
  expect(await askToken({ ...form }, init as RequestInit)).toEqual(expected)
})
