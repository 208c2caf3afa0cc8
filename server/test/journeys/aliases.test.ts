import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aliasRoutesOf } from '@pennant/contract/aliases.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { sendJson, startHttpService, type HttpService } from '../http-service.ts'
import { hmac, pushSecret, putDynamic } from '../pushes.ts'
import { checkResponse } from '../strict.ts'
import { siteClient, startFakeRankingSite, type FakeRankingSite } from '../ranking-site.ts'

// Names of rCTF, through the real pipeline: contract/src/aliases.ts

let site: FakeRankingSite
let captcha: HttpService
let contest: Contest
let organiser: Member

beforeAll(async () => {
  site = await startFakeRankingSite()
  captcha = await startHttpService(({ body }, response) =>
    sendJson(response, 200, { success: new URLSearchParams(body.toString()).get('response') === 'good' }),
  )
  const { tokenUrl, userUrl } = site
  const protectedActions = ['register', 'recover', 'setEmail']
  contest = await startContest({
    config: {
      extrank: { ...siteClient, tokenUrl, userUrl },
      legacyCaptcha: { siteKey: 'site', secretKey: 'secret', protectedActions, verifyUrl: captcha.url },
    },
  })
  organiser = await contest.admin()
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await captcha[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** Their responses are as the API description says. */
const aliasRoutes = aliasRoutesOf(allRoutes)

interface Sent {
  readonly token?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

async function send(call: string, { token, body, headers }: Sent = {}) {
  const [method = '', path = ''] = call.split(' ')
  const response = await fetch(contest.url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const route = aliasRoutes.find((each) => `${each.method} ${each.path}` === call)
  if (route) checkResponse(route, response, JSON.parse(text))
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const json = (isJson ? JSON.parse(text) : {}) as { kind?: string; data?: Record<string, string> }
  return { status: response.status, location: response.headers.get('location'), text, ...json }
}

async function counts(): Promise<ReadonlyMap<string, number>> {
  const { text } = await send('GET /metrics')
  const lines = text.matchAll(/^pennant_alias_requests_total\{alias="([^"]+)"\} (\d+)$/gm)
  return new Map(Array.from(lines, ([, alias = '', count]) => [alias, Number(count)]))
}

/** How often an alias is counted meanwhile. */
async function counted(alias: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await counts()).get(alias) ?? 0
  await work()
  return ((await counts()).get(alias) ?? 0) - before
}

let codes = 0
async function handoff(id: number): Promise<string> {
  const ctftimeCode = `code ${(codes += 1)}`
  site.teams.set(ctftimeCode, { id, name: `Ants ${id}` })
  const { data } = await send('POST /api/v1/integrations/ctftime/callback', { body: { ctftimeCode } })
  return data?.['ctftimeToken'] ?? ''
}

describe('paths', () => {
  test('the export has the bytes and the permission of its route', async () => {
    const path = '/api/v1/integrations/ctftime/leaderboard'
    const own = await send('GET /api/v1/integrations/extrank/leaderboard', { token: organiser.token })
    const times = await counted(path, async () => {
      expect(await send(`GET ${path}`, { token: organiser.token })).toEqual(own)
      const { token } = await contest.team()
      expect(await send(`GET ${path}`, { token })).toMatchObject({ status: 403, kind: 'badPerms' })
      expect(await send(`GET ${path}`)).toMatchObject({ status: 401, kind: 'badToken' })
      expect((await fetch(contest.url + path, { method: 'HEAD' })).status).toBe(401)
    })
    expect(times).toBe(4)
    expect(own.text).toContain('"standings"')
    const { text } = await send('GET /metrics')
    expect(text).not.toMatch(/pennant_http_requests?_\w+\{[^}]*ctftime/)
  })

  test('the callback and the link have the names of the path', async () => {
    const callback = 'POST /api/v1/integrations/ctftime/callback'
    const link = 'PUT /api/v1/users/me/auth/ctftime'
    const unlink = 'DELETE /api/v1/users/me/auth/ctftime'
    site.teams.set('right', { id: 77, name: 'Ants' })
    const exchanged = await send(callback, { body: { ctftimeCode: 'right' } })
    expect(exchanged).toMatchObject({
      kind: 'goodCtftimeToken',
      data: { ctftimeToken: expect.any(String), ctftimeName: 'Ants', ctftimeId: '77' },
    })
    expect(Object.keys(exchanged.data ?? {})).toHaveLength(3)
    expect(await send(callback, { body: { ctftimeCode: 'wrong' } })).toMatchObject({
      status: 401,
      kind: 'badCtftimeCode',
    })
    expect((await send(callback, { body: {} })).data?.['reason']).toMatch(/^body:ctftimeCode: /)
    const { token, id } = await contest.team()
    const body = { ctftimeToken: exchanged.data?.['ctftimeToken'] }
    expect((await send(link, { token, body })).kind).toBe('goodCtftimeAuthSet')
    expect(contest.world().team(id)?.extrankId).toBe('77')
    const other = await contest.team()
    expect(await send(link, { token: other.token, body })).toMatchObject({
      status: 409,
      kind: 'badKnownCtftimeId',
    })
    expect(await send(link, { token, body: { ctftimeToken: 'x' } })).toMatchObject({
      status: 401,
      kind: 'badCtftimeToken',
    })
    expect((await send(unlink, { token })).kind).toBe('goodCtftimeRemoved')
    expect(await send(unlink, { token })).toMatchObject({ status: 404, kind: 'badCtftimeNoExists' })
  })

  test.each(aliasRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s needs what its route needs',
    async (call, { auth, perms, captainOnly }) => {
      if (auth === 'required') expect((await send(call)).kind).toBe('badToken')
      const { id, token } = await contest.team()
      if (perms) expect((await send(call, { token })).kind).toBe('badPerms')
      const external = contest.app.stores.tokens.issueExternal(id, contest.clock.now())
      if (captainOnly) expect((await send(call, { token: external })).kind).toBe('badPerms')
      expect((await send(`${call}/`, { token })).kind).toBe('badEndpoint')
    },
  )

  test('a limit is shared with the own path', async () => {
    const { token } = await contest.team()
    const paths = ['/api/v1/users/me/auth/ctftime', '/api/v1/users/me/auth/extrank']
    const kinds: unknown[] = []
    for (let at = 0; at < 22; at += 1) kinds.push((await send(`DELETE ${paths[at % 2]}`, { token })).kind)
    expect(kinds.filter((kind) => kind === 'badRateLimit')).toHaveLength(2)
    expect(kinds.slice(20)).toEqual(['badRateLimit', 'badRateLimit'])
  })
})

describe('fields', () => {
  test('ctftimeToken registers and signs in, and its errors have the names of the family', async () => {
    for (const [version, id] of [['v1', 101] as const, ['v2', 102] as const]) {
      const code = version === 'v1' ? { recaptchaCode: 'good' } : { captchaCode: 'good' }
      const body = { name: `Alias ${version}`, ctftimeToken: await handoff(id), ...code }
      const times = await counted('ctftimeToken', async () => {
        expect((await send(`POST /api/${version}/auth/register`, { body })).kind).toMatch(/^goodRegister/)
        const again = await send(`POST /api/${version}/auth/register`, { body: { ...body, name: 'Again' } })
        expect(again).toMatchObject({ status: 409, kind: 'badKnownCtftimeId' })
      })
      expect(times).toBe(2)
      const { ctftimeToken } = body
      expect((await send('POST /api/v1/auth/login', { body: { ctftimeToken } })).kind).toBe('goodLogin')
    }
    expect((await send('POST /api/v1/auth/login', { body: { ctftimeToken: 'x' } })).kind).toBe(
      'badCtftimeToken',
    )
    expect((await send('POST /api/v1/auth/login', { body: { extrankToken: 'x' } })).kind).toBe(
      'badExtrankToken',
    )
    const wrong = await send('POST /api/v1/auth/login', { body: { ctftimeToken: 5 } })
    expect(wrong.data?.['reason']).toMatch(/^body:ctftimeToken: /)
  })

  test('recaptchaCode is checked on the routes of version 1 and nowhere else', async () => {
    const { token } = await contest.team()
    const email = 'alias@players.example'
    const calls = [
      ['POST /api/v1/auth/register', { name: 'Coded', email }],
      ['POST /api/v1/auth/recover', { email }],
      ['PUT /api/v1/users/me/auth/email', { email }],
    ] as const
    for (const [call, body] of calls) {
      const refused = await send(call, { token, body: { ...body, recaptchaCode: 'bad' } })
      expect(refused, call).toMatchObject({ status: 401, kind: 'badRecaptchaCode' })
      expect((await send(call, { token, body })).kind, call).toBe('badLegacyCaptchaCode')
      const passed = await send(call, { token, body: { ...body, recaptchaCode: 'good' } })
      expect(passed.kind, call).not.toMatch(/Captcha/)
    }
    const v2 = { name: 'Coded too', email, recaptchaCode: 'good' }
    expect((await send('POST /api/v2/auth/register', { body: v2 })).kind).toBe('badCaptcha')
  })

  test('two names for one field are refused, even with the same value', async () => {
    const twice = { ctftimeToken: 'same', extrankToken: 'same' }
    const { token } = await contest.team()
    for (const call of ['POST /api/v1/auth/login', 'PUT /api/v1/users/me/auth/extrank']) {
      expect(await send(call, { token, body: twice })).toMatchObject({
        status: 400,
        kind: 'badBody',
        data: { reason: 'body:ctftimeToken: is given under two names; send one' },
      })
    }
  })

  test('only the top level of the named routes is renamed', async () => {
    const { token } = await contest.team()
    const body = { data: { ctftimeToken: 'x' }, extrankToken: 'x' }
    expect((await send('PUT /api/v1/users/me/auth/extrank', { token, body })).kind).toBe('badExtrankToken')
    expect((await send('POST /api/v1/auth/login', { body: [{ ctftimeToken: 'x' }] })).kind).toBe('badBody')
  })
})

describe('headers of a signature', () => {
  const own = ['x-svc-timestamp', 'x-svc-signature'] as const
  const family = ['x-rctf-timestamp', 'x-rctf-signature'] as const

  let pushes = 0
  async function push(...names: readonly string[]) {
    const body = { scores: [], number: (pushes += 1) }
    const timestamp = String(contest.clock.now())
    const signature = `sha256=${hmac(JSON.stringify(body), `${timestamp}.`, pushSecret)}`
    const headers = names.map((name) => [name, name.endsWith('timestamp') ? timestamp : signature])
    const { status, kind } = await send('POST /api/v2/challs/hill/scores', {
      body,
      headers: Object.fromEntries(headers),
    })
    return `${status} ${kind}`
  }

  test('one complete pair is accepted, half a pair and two pairs are not', async () => {
    await putDynamic(contest, 'hill')
    expect(await counted('X-RCTF-*', () => push(...family))).toBe(1)
    expect(await push(...family)).toBe('200 goodDynamicScores')
    expect(await push(...own)).toBe('200 goodDynamicScores')
    for (const names of [
      [],
      [own[0]],
      [family[0]],
      [family[1]],
      [own[0], family[1]],
      [family[0], own[1]],
      [...own, family[1]],
      [...family, own[0]],
      [...own, ...family],
    ])
      expect(await push(...names), names.join(' ')).toBe('401 badSignature')
  })
})

describe('pages and files', () => {
  test.each([
    ['/challs', '/challenges'],
    ['/admin/challs', '/admin/challenges'],
  ])('%s redirects to %s', async (from, to) => {
    const times = await counted(from, async () =>
      expect(await send(`GET ${from}`)).toMatchObject({ status: 302, location: to }),
    )
    expect(times).toBe(1)
  })

  test('the return address of rCTF is a page of the site', async () => {
    const page = '/integrations/ctftime/callback'
    const times = await counted(page, async () => {
      const { status, text } = await send(`GET ${page}?code=x&state=y`)
      expect([status, text]).toEqual([200, (await send('GET /integrations/extrank/callback')).text])
    })
    expect(times).toBe(1)
  })

  test('a link with a key redirects to the file, if it exists', async () => {
    const name = 'some file.txt'
    const files = [{ name, data: `data:text/plain;base64,${Buffer.from('old link').toString('base64')}` }]
    const uploaded = await send('POST /api/v1/admin/upload', { token: organiser.token, body: { files } })
    const { url = '' } = (uploaded.data as unknown as { url: string }[])[0] ?? {}
    const { pathname } = new URL(url, contest.url)
    const key = encodeURIComponent(decodeURIComponent(pathname.replace('/uploads/', '')))
    const times = await counted('/uploads?key=', async () => {
      expect(await send(`GET /uploads?key=${key}`, { headers: { range: 'bytes=90-' } })).toMatchObject({
        status: 302,
        location: pathname,
      })
    })
    expect(times).toBe(1)
    expect((await send(`GET ${pathname}`)).text).toBe('old link')
    const absent = [
      `?key=${key.replace(/^..../, '0000')}`,
      '?key=..%2F..%2Fetc%2Fpasswd',
      '?key=//evil.example',
      '',
    ]
    for (const query of absent) expect((await send(`GET /uploads${query}`)).status, query).toBe(404)
  })
})
