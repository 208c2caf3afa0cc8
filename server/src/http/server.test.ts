import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Email, Page, TeamName } from '@pennant/contract/fields.ts'
import { reply, route } from '@pennant/contract/route.ts'
import { goodDynamicScores, pushScores } from '@pennant/contract/scores.ts'
import { bareServer } from '../../test/bare-server.ts'
import { recordLog } from '../../test/log.ts'
import { UnavailableError } from '../lib/errors.ts'
import { createBodyBudget } from './request/body-budget.ts'
import { on, onSigned, type Caller, type Endpoint } from './handler.ts'
import { prepare } from './response/prepared.ts'
import { escapeInvalidPercents } from './decide/router.ts'
import type { HttpServer, ServerDeps } from './server.ts'

const goodEcho = reply(200, 'goodEcho', 'Echo.', z.object({ value: z.unknown() }))
const echo = (value: unknown) => goodEcho({ value })

const common = { limits: [], replies: [goodEcho] } as const
const getThing = route({
  method: 'GET',
  path: '/api/v2/things/:id',
  summary: 'A thing.',
  auth: 'optional',
  scope: null,
  gate: { started: 'challsRead' },
  params: z.object({ id: z.string().min(1).max(255) }),
  query: Page,
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  ...common,
})
const postThing = route({
  method: 'POST',
  path: '/api/v2/things',
  summary: 'Makes a thing.',
  auth: 'required',
  scope: null,
  perms: ['challsWrite'],
  body: z.object({ email: Email.optional(), name: TeamName.optional(), note: z.string().optional() }),
  ...common,
})
const submitThing = route({
  method: 'POST',
  path: '/api/v1/things/submit',
  summary: 'Within the event only.',
  auth: 'required',
  scope: null,
  notBanned: true,
  gate: { started: 'challsWrite', beforeEnd: 'challsWrite' },
  captcha: { action: 'register', field: 'captchaCode' },
  body: z.object({ captchaCode: z.string().optional() }),
  ...common,
})
const pokeThing = route({
  method: 'POST',
  path: '/api/v2/things/poke',
  summary: 'Reads no body.',
  auth: 'public',
  ...common,
})
const readPage = route({
  method: 'GET',
  path: '/api/v2/page',
  summary: 'A page.',
  auth: 'public',
  ...common,
})
const failThing = route({
  method: 'GET',
  path: '/api/v2/fail',
  summary: 'Fails.',
  auth: 'public',
  ...common,
})
const waitThing = route({
  method: 'GET',
  path: '/api/v2/away',
  summary: 'Waits.',
  auth: 'public',
  ...common,
})

const byId = (one: { id?: unknown }, other: { id?: unknown }) =>
  String(one.id).localeCompare(String(other.id))

const page = prepare(echo('x'.repeat(4000)))
const endpoints: Endpoint[] = [
  on(getThing, ({ params, query, team }) => echo({ ...params, ...query, team: team?.id ?? null })),
  on(postThing, ({ body }) => echo(body)),
  on(submitThing, ({ team }) => echo(team.id)),
  on(pokeThing, ({ ip }) => echo(ip)),
  on(readPage, () => page),
  on(failThing, () => {
    throw new Error('secret detail')
  }),
  on(waitThing, () => {
    throw new UnavailableError('the database is away')
  }),
]

const own = { banned: false, isExternal: false, tokenIssuedAt: 0, person: null }
const callers = new Map<string, Caller>(
  Object.entries({ player: 0, banned: 0, reader: 1, writer: 2 }).map(([id, perms]) => [
    id,
    { team: { ...own, id, perms, banned: id === 'banned' }, person: null },
  ]),
)

let app: HttpServer | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function start(changes: Partial<ServerDeps> = {}): Promise<string> {
  app = bareServer({ endpoints, authenticate: async (token) => callers.get(token) ?? null, ...changes })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

interface Sent {
  readonly kind: string
  readonly data?: { readonly value?: unknown; readonly reason?: string; readonly maxSize?: number }
}

async function ask(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Sent; headers: Headers }> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Sent }
}

const as = (token: string, body?: unknown): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${token}` },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})

test('unverified pushes leave part of the body budget to other requests', async () => {
  const bodyBudget = createBodyBudget(64 * 1024)
  const anything = () => ({ isDecoy: false, canMatch: true, update() {}, accept: () => 'signed' })
  const done = goodDynamicScores({ inserted: 0, updated: 0, deleted: 0 })
  const push = onSigned(pushScores, anything, () => done)
  const base = await start({ bodyBudget, endpoints: [...endpoints, push] })
  for (const owner of ['a', 'b']) bodyBudget.open(owner, { isUnverified: true }).reserve(16 * 1024)
  const headers = { 'x-svc-timestamp': '1', 'x-svc-signature': 'any' }
  const init = { method: 'POST', headers, body: '{"scores":[]}' }
  const pushed = await ask(`${base}/api/v2/challs/x/scores`, init)
  expect(pushed).toMatchObject({ status: 503, body: { kind: 'errorUnavailable' } })
  expect((await ask(`${base}/api/v2/things`, as('writer', '{'))).body.kind).toBe('badJson')
})

describe('the order of checks', () => {
  test('authentication and permissions are checked before the body', async () => {
    const base = await start()
    expect((await ask(`${base}/api/v2/things`, { method: 'POST', body: '{' })).body.kind).toBe('badToken')
    expect((await ask(`${base}/api/v2/things`, as('player', '{'))).body.kind).toBe('badPerms')
    expect((await ask(`${base}/api/v2/things`, as('writer', '{'))).body.kind).toBe('badJson')
    expect((await ask(`${base}/api/v2/things`, as('writer', ''))).body.kind).toBe('badJson')
  })

  test('the start gate is checked before the query, and a permission bypasses it', async () => {
    const base = await start({ now: () => -1 })
    const url = `${base}/api/v2/things/a?limit=0&offset=0`
    expect((await ask(url)).body.kind).toBe('badNotStarted')
    const reader = await ask(url, { headers: { authorization: 'bearer reader' } })
    expect(reader.body.data?.reason).toMatch(/^query:limit: /)
  })

  test('a ban is checked before the gate, and the gate closes exactly at the end', async () => {
    const base = await start({ now: () => 2000 })
    expect((await ask(`${base}/api/v1/things/submit`, as('banned', {}))).body.kind).toBe('badPerms')
    expect((await ask(`${base}/api/v1/things/submit`, as('player', {}))).body.kind).toBe('badEnded')
    expect((await ask(`${base}/api/v1/things/submit`, as('writer', { captchaCode: 'human' }))).status).toBe(
      200,
    )
  })

  test('a protected action requires a valid captcha', async () => {
    const base = await start()
    expect((await ask(`${base}/api/v1/things/submit`, as('player', {}))).body.kind).toBe('badCaptcha')
    expect((await ask(`${base}/api/v1/things/submit`, as('player', { captchaCode: 'bot' }))).status).toBe(403)
    expect((await ask(`${base}/api/v1/things/submit`, as('player', { captchaCode: 'human' }))).status).toBe(
      200,
    )
  })
})

describe('validation', () => {
  test('reports source and path of the first issue only', async () => {
    const base = await start()
    const reason = async (body: unknown) => (await ask(`${base}/api/v2/things`, as('writer', body))).body
    expect((await reason([])).data?.reason).toMatch(/^body:: /)
    expect((await reason({ note: 1 })).data?.reason).toMatch(/^body:note: /)
    expect((await reason({ email: 'nobody' })).kind).toBe('badEmail')
    expect((await reason({ email: 5 })).kind).toBe('badBody')
    expect((await reason({ name: 'ä' })).kind).toBe('badName')
    expect((await reason({ note: 'a\0b' })).data?.reason).toMatch(/^body:note: /)
    expect((await reason('{"note":"\\ud800"}')).data?.reason).toMatch(/^body:note: /)
    expect((await reason('['.repeat(500) + ']'.repeat(500))).kind).toBe('badBody')
    expect((await reason({ extra: 'a\0b', note: 'fine' })).data?.value).toEqual({ note: 'fine' })
  })

  test('configured maxima are reported in the same format, and the first value of a repeated key is used', async () => {
    const base = await start()
    expect((await ask(`${base}/api/v2/things/a?limit=101&offset=0`)).body.data?.reason).toMatch(
      /^query:limit: /,
    )
    expect((await ask(`${base}/api/v2/things/a?limit=1e1&limit=x&offset=0`)).body.data?.value).toMatchObject({
      limit: 10,
    })
    for (const limit of ['', '%20', '1.5', 'abc', '0', '-1', '1e999']) {
      expect((await ask(`${base}/api/v2/things/a?limit=${limit}&offset=0`)).status, limit).toBe(400)
    }
  })

  test('an invalid percent escape in a path is taken literally', async () => {
    const base = await start()
    const value = async (id: string) =>
      (await ask(`${base}/api/v2/things/${id}?limit=1&offset=0`)).body.data?.value
    expect(await value('a%20b')).toMatchObject({ id: 'a b' })
    expect(await value('a%2')).toMatchObject({ id: 'a%2' })
    expect(await value('%ff%41')).toMatchObject({ id: '%ff%41' })
    expect(escapeInvalidPercents('/a%zz%20')).toBe('/a%25zz%20')
  })
})

describe('bodies', () => {
  test('a body over the cap is rejected, with or without a declared length', async () => {
    const base = await start()
    const big = await ask(`${base}/api/v2/things`, as('writer', { note: 'x'.repeat(2000) }))
    expect(big).toMatchObject({ status: 413, body: { kind: 'badBodySize', data: { maxSize: 1024 } } })
    const status = await new Promise((resolve, reject) => {
      const sending = httpRequest(
        `${base}/api/v2/things`,
        { ...as('writer'), method: 'POST' } as never,
        (response) => {
          resolve(response.statusCode)
          response.resume()
        },
      )
      sending.on('error', reject)
      sending.write(JSON.stringify({ note: 'x'.repeat(1500) }))
      sending.end()
    })
    expect(status).toBe(413)
  })

  test('a route without a body ignores the body and its type', async () => {
    const base = await start()
    const poked = await ask(`${base}/api/v2/things/poke`, {
      method: 'POST',
      body: '{{{',
      headers: { 'content-type': ';;' },
    })
    expect(poked.status).toBe(200)
  })

  test('a compressed body is rejected as badJson', async () => {
    const base = await start()
    const init = {
      ...as('writer', {}),
      headers: { authorization: 'Bearer writer', 'content-encoding': 'gzip' },
    }
    expect((await ask(`${base}/api/v2/things`, init)).body.kind).toBe('badJson')
  })
})

describe('responses', () => {
  test('returns badEndpoint for an unknown path or method, a trailing slash and another case', async () => {
    const base = await start()
    for (const path of ['/api/v2/nothing', '/api/v2/things/', '/API/v2/page', '/api/v2/page/', '/']) {
      expect(await ask(base + path), path).toMatchObject({ status: 404, body: { kind: 'badEndpoint' } })
    }
    expect((await ask(`${base}/api/v2/page`, { method: 'PUT' })).body.kind).toBe('badEndpoint')
    expect((await ask(`${base}/api/v2/page`, { method: 'OPTIONS' })).body.kind).toBe('badEndpoint')
  })

  test('a 200 has a strong ETag per coding, and If-None-Match gets 304 without a body', async () => {
    const base = await start()
    const plain = await fetch(`${base}/api/v2/page`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('cache-control')).toBe('private, no-cache')
    const etag = plain.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const zipped = await fetch(`${base}/api/v2/page`, { headers: { 'accept-encoding': 'br' } })
    expect(zipped.headers.get('content-encoding')).toBe('br')
    expect(zipped.headers.get('etag')).not.toBe(etag)
    expect(await zipped.text()).toBe(await plain.text())
    for (const tag of [etag, zipped.headers.get('etag') ?? '', `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(`${base}/api/v2/page`, { headers: { 'if-none-match': tag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  })

  test('HEAD returns the status and headers of GET without a body', async () => {
    const base = await start()
    const head = await fetch(`${base}/api/v2/page`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(page.body.length))
    expect(await head.text()).toBe('')
  })

  test('errors are not cacheable, contain no details and name their line in the log', async () => {
    const { log, lines } = recordLog()
    const base = await start({ log })
    const failed = await ask(`${base}/api/v2/fail`)
    expect(failed).toMatchObject({ status: 500, body: { kind: 'errorInternal' } })
    expect(JSON.stringify(failed.body)).not.toContain('secret')
    expect(failed.headers.get('cache-control')).toBe('no-store')
    const away = await ask(`${base}/api/v2/away`)
    expect(away).toMatchObject({ status: 503, body: { kind: 'errorUnavailable' } })
    expect(away.headers.get('retry-after')).toBe('2')
    const ids = [failed, away].map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual([expect.stringMatching(/^[\w-]{12}$/), expect.stringMatching(/^[\w-]{12}$/)])
    expect(new Set(ids).size).toBe(2)
    const failures = lines.filter(({ level }) => level !== 'debug')
    expect(failures.map(({ fields }) => (fields as { requestId?: string }).requestId)).toEqual(ids)
  })

  test('reports IPv4-mapped addresses as IPv4, and forwarded ones only from trusted hops', async () => {
    const base = await start()
    const poke = (forwarded?: string) =>
      ask(`${base}/api/v2/things/poke`, {
        method: 'POST',
        headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
      })
    expect((await poke()).body.data?.value).toBe('127.0.0.1')
    expect((await poke('9.9.9.9, 8.8.8.8')).body.data?.value).toBe('8.8.8.8')
  })

  /** The response to bytes that no client library sends. */
  function exchange(base: string, bytes: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes))
      let got = ''
      socket.on('data', (chunk) => (got += chunk.toString()))
      socket.on('close', () => resolve(got))
    })
  }

  test('every refusal has the id of its line in the log', async () => {
    const { log, lines } = recordLog()
    const base = await start({ log })
    const json = {
      method: 'POST',
      headers: { authorization: 'Bearer writer', 'content-type': 'application/json' },
    }
    const refused = [
      await ask(`${base}/api/v2/nowhere?token=secret`),
      await ask(`${base}/api/v2/things/a?limit=x&offset=0`),
      await ask(`${base}/api/v2/things`, { method: 'POST' }),
      await ask(`${base}/api/v2/things`, { ...json, body: '{"email":"secret"}' }),
      await ask(`${base}/api/v2/things`, { ...json, body: 'x'.repeat(200_000) }),
    ]
    const bare = await Promise.all(
      ['GET /api/v2/page HTTP/1.1\r\nconnection: close\r\n\r\n', 'NONSENSE\r\n\r\n'].map((bytes) =>
        exchange(base, bytes),
      ),
    )
    expect(refused.map(({ status }) => status)).toEqual([404, 400, 401, 400, 413])
    const ids = [
      ...refused.map(({ headers }) => headers.get('x-request-id')),
      ...bare.map((text) => /^x-request-id: ([\w-]{12})\r$/m.exec(text)?.[1]),
    ]
    expect(bare[1]).toMatch(/^HTTP\/1.1 400 [^]*"kind":"badBody"/)
    const logged = lines.map(({ level, fields }) => ({
      level,
      id: (fields as { requestId: string }).requestId,
    }))
    expect(logged.toSorted(byId)).toEqual(ids.map((id) => ({ level: 'debug', id })).toSorted(byId))
    expect(JSON.stringify(lines)).not.toContain('secret')
    expect((await ask(`${base}/api/v2/page`)).headers.get('x-request-id')).toBeNull()
  })
})

test('a prepared body is compressed once', async () => {
  const base = await start()
  const bodies = await Promise.all(
    Array.from({ length: 8 }, async () => {
      return new Promise<Buffer>((resolve, reject) => {
        httpRequest(`${base}/api/v2/page`, { headers: { 'accept-encoding': 'br' } }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve(Buffer.concat(chunks)))
        })
          .on('error', reject)
          .end()
      })
    }),
  )
  for (const body of bodies) expect(brotliDecompressSync(body).equals(page.body)).toBe(true)
})
