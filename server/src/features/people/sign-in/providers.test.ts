import { randomBytes } from 'node:crypto'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/sign-in.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import {
  otherClient,
  ourClient,
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../../../test/openid-provider.ts'
import { teamless } from '../../../../test/people.ts'
import { openIdProvider } from './openid.ts'
import { accountProblem, type ProviderAccount } from './provider.ts'
import { createProviders } from './providers.ts'

const origin = 'https://ctf.example'
const redirectUri = `${origin}/sign-in/return/school`
let site: OpenIdProvider
let contest: Contest

beforeAll(async () => {
  site = await startOpenIdProvider(redirectUri)
  contest = await startContest({
    config: {
      people: {
        providers: [
          { id: 'school', label: 'School', issuer: site.issuer, ...ourClient },
          { id: 'gone', issuer: 'http://127.0.0.1:9', ...ourClient },
        ],
      },
    },
  })
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
beforeEach(() => {
  site.subject = 'ada'
  site.accounts.set('ada', { name: 'Ada', email: 'ada@school.example', email_verified: true })
})

const newKey = () => randomBytes(32).toString('base64url')

async function start(browserKey: string, of = contest, id = 'school'): Promise<string> {
  const started = await of.call(contract.startProvider, { params: { id }, body: { browserKey } })
  return (started.data as { url: string }).url
}

const finish = (browserKey: string, response: string, of = contest) =>
  of.call(contract.finishProvider, { params: { id: 'school' }, body: { browserKey, response } })

async function signIn(of = contest) {
  const key = newKey()
  return await finish(key, await site.visit(await start(key, of)), of)
}

describe('an account of a provider', () => {
  test('becomes a person at the first sign-in, and is the same one later, whatever its address', async () => {
    const first = await signIn()
    expect(first.data).toMatchObject({ person: { name: 'Ada' }, isNew: true })
    site.accounts.set('ada', { name: 'Other' })
    const again = await signIn()
    expect(again.data).toMatchObject({
      isNew: false,
      person: (first.data as { person: object }).person,
    })
  })

  test('is never an existing person because of its address', async () => {
    const person = await teamless(contest, { name: 'Owner', email: 'owner@school.example' })
    site.subject = 'impostor'
    site.accounts.set('impostor', {
      name: 'Im\u202epostor',
      email: 'owner@school.example',
      email_verified: true,
    })
    const { data } = await signIn()
    expect(data).toMatchObject({ isNew: true, person: { name: 'Impostor' } })
    expect((data as { person: { id: string } }).person.id).not.toBe(person.id)
  })

  test('is linked to the person who is signed in, and to no second one', async () => {
    const [one, two] = [await teamless(contest), await teamless(contest)]
    site.subject = 'linked'
    const link = async ({ token }: { token: string }) => {
      const key = newKey()
      const started = await contest.call(contract.linkProvider, {
        token,
        params: { id: 'school' },
        body: { browserKey: key },
      })
      return (await finish(key, await site.visit((started.data as { url: string }).url))).kind
    }
    expect(await link(one)).toBe('goodProviderLinked')
    expect(await link(two)).toBe('badKnownAccount')
    expect((await signIn()).data).toMatchObject({ isNew: false, person: { id: one.id } })
    const ways = await contest.call(contract.readSignInWays, { token: one.token })
    expect(ways.data).toMatchObject({ providers: [{ id: 'school', account: 'linked' }, { account: null }] })
    const unlink = async () =>
      (await contest.call(contract.unlinkProvider, { token: one.token, params: { id: 'school' } })).kind
    expect(await unlink()).toBe('badLastWay')
    await contest.call(contract.renewPersonalLink, { token: one.token })
    expect(await unlink()).toBe('goodWayRemoved')
    expect((await signIn()).data).toMatchObject({ isNew: true })
  })

  test('has a usable name if the provider has none', async () => {
    site.subject = 'nameless'
    expect((await signIn()).data).toMatchObject({ person: { name: 'Player' } })
  })
})

describe('a response is refused', () => {
  const attempt = async (change: (url: URL) => void, alter = (response: string) => response) => {
    const key = newKey()
    const url = new URL(await start(key))
    change(url)
    return (await finish(key, alter(await site.visit(url.href)))).kind
  }
  const altered = (edit: (response: URLSearchParams) => void) => (response: string) => {
    const query = new URLSearchParams(response)
    edit(query)
    return query.toString()
  }

  test('with another nonce', async () => {
    expect(await attempt((url) => url.searchParams.set('nonce', 'another'))).toBe('badProviderResponse')
  })

  test.each([
    ['wrong', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['missing', (query: URLSearchParams) => query.delete('iss')],
  ])('with a %s issuer', async (_what, edit) => {
    expect(await attempt(() => {}, altered(edit))).toBe('badProviderResponse')
  })

  test('with a code of another client', async () => {
    const kind = await attempt((url) => url.searchParams.set('client_id', otherClient.clientId))
    expect(kind).toBe('badProviderResponse')
  })

  test('with the code of another journey', async () => {
    const [mine, theirs] = [newKey(), newKey()]
    const [response, stolen] = [
      await site.visit(await start(mine)),
      await site.visit(await start(theirs)),
    ].map((query) => new URLSearchParams(query))
    response?.set('code', stolen?.get('code') ?? '')
    expect((await finish(mine, String(response))).kind).toBe('badProviderResponse')
  })

  test('a second time', async () => {
    const key = newKey()
    const response = await site.visit(await start(key))
    expect((await finish(key, response)).kind).toBe('goodPersonSignIn')
    expect((await finish(key, response)).kind).toBe('badProviderResponse')
  })

  test('in another browser, and is used up', async () => {
    const key = newKey()
    const response = await site.visit(await start(key))
    expect((await finish(newKey(), response)).kind).toBe('badProviderResponse')
    expect((await finish(key, response)).kind).toBe('badProviderResponse')
  })

  test('at the return address of another provider', async () => {
    const key = newKey()
    const response = await site.visit(await start(key))
    const body = { browserKey: key, response }
    const mixed = await contest.call(contract.finishProvider, { params: { id: 'gone' }, body })
    expect(mixed.kind).toBe('badProviderResponse')
  })

  test('without a state, or after ten minutes', async () => {
    expect((await finish(newKey(), 'code=x')).kind).toBe('badProviderResponse')
    const key = newKey()
    const response = await site.visit(await start(key))
    contest.clock.advance(10 * MINUTE_MS + 1)
    expect((await finish(key, response)).kind).toBe('badProviderResponse')
  })

  test('if the person cancelled', async () => {
    site.subject = null
    expect((await signIn()).kind).toBe('badProviderCancelled')
  })
})

test('a provider that cannot be reached or is not configured is refused', async () => {
  const ask = (id: string) =>
    contest.call(contract.startProvider, { params: { id }, body: { browserKey: newKey() } })
  expect((await ask('gone')).kind).toBe('badProviderUnavailable')
  expect((await ask('none')).kind).toBe('badEndpoint')
})

describe('the token of the provider', () => {
  const options = {
    id: 'school',
    label: 'School',
    create: true,
    domains: [],
    groups: [],
    groupsClaim: 'groups',
    divisions: [],
    isPlainOauth: false,
  }
  const secrets = () => ({ state: newKey(), nonce: newKey(), verifier: newKey() })

  /** Signs in at the provider, with what the provider sends changed on the way. */
  async function prove(
    change: (tokens: { id_token: string }) => void,
    { sent = secrets(), before = () => {} } = {},
  ) {
    const fetchChanged: typeof fetch = async (input, init) => {
      before()
      const response = await fetch(input, init)
      if (!String(input).endsWith('/token')) return response
      const tokens = (await response.json()) as { id_token: string }
      change(tokens)
      return Response.json(tokens)
    }
    const ours = { ...options, issuer: site.issuer, ...ourClient }
    const provider = openIdProvider(ours, { origin, fetch: fetchChanged, now: Date.now })
    const response = await site.visit(await provider.authorizationUrl(sent))
    return await provider.accountOf(new URLSearchParams(response), sent)
  }

  test('of another client is refused, with the right nonce', async () => {
    const sent = secrets()
    const theirs = openIdProvider(
      { ...options, issuer: site.issuer, ...otherClient },
      {
        origin,
        now: Date.now,
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          if (String(input).endsWith('/token'))
            stolen = ((await response.clone().json()) as { id_token: string }).id_token
          return response
        },
      },
    )
    let stolen = ''
    const response = await site.visit(await theirs.authorizationUrl(sent))
    await theirs.accountOf(new URLSearchParams(response), sent)
    expect(stolen).not.toBe('')
    await expect(prove((tokens) => (tokens.id_token = stolen), { sent })).rejects.toThrow(/claim value/)
  })

  test('with a changed claim is refused', async () => {
    const forge = (tokens: { id_token: string }) => {
      const [head, body = '', signature] = tokens.id_token.split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')
      tokens.id_token = [head, changed, signature].join('.')
    }
    await expect(prove(forge)).rejects.toThrow()
  })

  test('is accepted with a small difference of the clocks, and refused with a large one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const now = Date.now()
      // Only our clock is wrong, not that of the provider.
      const before = () => vi.setSystemTime(now)
      const ahead = (ms: number) => prove(() => vi.setSystemTime(now + ms), { before })
      await expect(ahead(61 * MINUTE_MS)).rejects.toThrow()
      expect(await ahead(60 * MINUTE_MS + 20_000)).toMatchObject({ subject: 'ada' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('has groups below a path, as those of Keycloak', async () => {
    site.accounts.set('ada', { realm_access: { roles: ['player', 'offline_access'] } })
    const ours = { ...options, issuer: site.issuer, ...ourClient, groupsClaim: 'realm_access.roles' }
    const provider = openIdProvider(ours, { origin, fetch, now: Date.now })
    const sent = secrets()
    const response = await site.visit(await provider.authorizationUrl(sent))
    expect(await provider.accountOf(new URLSearchParams(response), sent)).toMatchObject({
      groups: ['player', 'offline_access'],
      name: null,
    })
  })
})

describe('limits', () => {
  const limited = async (provider: object, account: object) => {
    await using strict = await startContest({
      config: { people: { providers: [{ id: 'school', issuer: site.issuer, ...ourClient, ...provider }] } },
    })
    site.accounts.set('ada', { ...account })
    const { kind, data } = await signIn(strict)
    const [{ count } = { count: -1 }] = await strict.db.query<{ count: number }>(
      sql`select count(*)::int as count from persons`,
    )
    return { kind, data, count }
  }
  const domains = { domains: ['School.example'] }

  test.each([
    ['the domain', domains, { email: 'a@school.example', email_verified: true }, 'goodPersonSignIn'],
    ['an unverified address', domains, { email: 'a@school.example' }, 'badProviderAccount'],
    ['no address', domains, {}, 'badProviderAccount'],
    [
      'a domain that ends alike',
      domains,
      { email: 'a@notschool.example', email_verified: true },
      'badProviderAccount',
    ],
    ['the group', { groups: ['ctf'] }, { groups: ['all', 'ctf'] }, 'goodPersonSignIn'],
    ['another group', { groups: ['ctf'] }, { groups: ['ctf-old'] }, 'badProviderAccount'],
    ['no creation', { create: false }, {}, 'badUnknownPerson'],
  ])('for %s', async (...[, provider, account, kind]) => {
    const found = await limited(provider, account)
    expect(found.kind).toBe(kind)
    expect(found.count).toBe(kind === 'goodPersonSignIn' ? 1 : 0)
  })

  test('of Google are those of `hd`, not of an address', () => {
    const google = {
      issuer: 'https://accounts.google.com',
      subject: '1',
      name: null,
      label: '',
      amr: [],
      groups: [],
    }
    const options = { domains: ['school.example'], groups: [] } as never
    const problem = (domain: string | null) =>
      accountProblem(options, { ...google, domain } as ProviderAccount)
    expect(problem('school.example')).toBeNull()
    expect(problem(null)).toBe('domain')
  })
})

test('a site with plain OAuth is bound to its own name and id', async () => {
  const requests: string[] = []
  const fake: typeof fetch = async (input) => {
    requests.push(String(input))
    return String(input).endsWith('/access_token')
      ? Response.json({ access_token: 'token', token_type: 'bearer' })
      : Response.json({ id: 42, login: 'octo', name: 'Octo Cat', email: 'owner@school.example' })
  }
  const preset = {
    id: 'hub',
    preset: 'github',
    label: 'GitHub',
    issuer: 'https://github.com',
    isPlainOauth: true,
  }
  const [provider] = createProviders(
    [
      {
        ...preset,
        ...ourClient,
        create: true,
        domains: [],
        groups: [],
        groupsClaim: 'groups',
        divisions: [],
      },
    ],
    { origin, fetch: fake, now: Date.now },
  )
  const sent = { state: newKey(), nonce: newKey(), verifier: newKey() }
  const url = new URL((await provider?.authorizationUrl(sent)) ?? '')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: `${origin}/sign-in/return/hub`,
    code_challenge_method: 'S256',
    state: sent.state,
  })
  const response = new URLSearchParams({ code: 'c', state: sent.state })
  expect(await provider?.accountOf(response, sent)).toEqual({
    issuer: 'https://github.com',
    subject: '42',
    name: 'Octo Cat',
    label: 'octo',
    domain: null,
    groups: [],
    amr: [],
  })
  await expect(provider?.accountOf(new URLSearchParams({ code: 'c', state: 'x' }), sent)).rejects.toThrow()
  expect(requests).toEqual(['https://github.com/login/oauth/access_token', 'https://api.github.com/user'])
})

test('providers that are not configured, or not there, are refused', async () => {
  const { token } = await teamless(contest)
  const body = { browserKey: newKey() }
  const link = async (id: string) =>
    (await contest.call(contract.linkProvider, { token, params: { id }, body })).kind
  expect([await link('none'), await link('gone')]).toEqual(['badEndpoint', 'badProviderUnavailable'])
  const finishing = { params: { id: 'none' }, body: { ...body, response: 'state=x' } }
  expect((await contest.call(contract.finishProvider, finishing)).kind).toBe('badEndpoint')
})
