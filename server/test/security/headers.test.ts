import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allRoutes } from '@pennant/contract/all.ts'
import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import { uploadFilesV1 } from '@pennant/contract/uploads.ts'
import { fullDeployment, type Deployment } from '../fuzz/deployments.ts'
import { openWire, type Wire, type WireResponse } from '../fuzz/wire.ts'
import { startContest, type Contest, type Member } from '../harness.ts'

// Classes S5 and S14 (README.md): no response redirects elsewhere, a browser never sends credentials
// automatically, and other sites cannot read our responses.

let deployment: Deployment
let contest: Contest
let admin: Member
let wire: Wire
beforeAll(async () => {
  deployment = await fullDeployment()
  contest = await startContest({ config: deployment.config })
  wire = openWire(contest.url, 4)
})
// Signs in again before each test, because one of the routes invalidates the caller's tokens.
beforeEach(async () => {
  admin = await contest.admin()
})
afterAll(async () => {
  wire[Symbol.dispose]()
  await contest[Symbol.asyncDispose]()
  await deployment[Symbol.asyncDispose]()
})

interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = (path: string, { method = 'GET', headers = {}, body }: Ask = {}) =>
  wire.ask({ method, path, headers, body: body === undefined ? null : Buffer.from(body) })

const REFUSED = /^(?:set-cookie|location|refresh|access-control-.*|server|x-powered-by)$/

function expectSafe({ status, headers }: WireResponse): void {
  expect(status < 300 || status >= 400, `status ${status}`).toBe(true)
  expect(Object.keys(headers).filter((name) => REFUSED.test(name))).toEqual([])
  expect(headers['x-content-type-options']).toBe('nosniff')
}

const crossOrigin = {
  origin: 'https://evil.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
}
const pathOf = (path: string) => path.replace(/:\w+/g, 'x')

describe.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    const path = pathOf(route.path)
    const sent = { method: route.method, ...(route.method === 'GET' ? {} : { body: '{}' }) }

    test('has safe headers, allows no other origin and does not redirect', async () => {
      for (const authorization of ['', `Bearer ${admin.token}`, `Bearer ${deployment.serviceToken}`]) {
        const response = await ask(path, { ...sent, headers: { ...crossOrigin, authorization } })
        expectSafe(response)
        const type = response.status === 200 ? (route.file ?? route.text?.type) : undefined
        if (type !== undefined) expect(response.headers['content-type']).toBe(type)
        else
          expect(response.headers['content-type']).toMatch(
            /^(?:application\/json|text\/plain); charset=utf-8$/,
          )
        const isRead = response.status === 200 && route.method === 'GET' && !route.secret
        const age = response.status === 200 && route.text?.maxAgeS
        const fresh = age ? `public, max-age=${age}` : 'private, no-cache'
        expect(response.headers['cache-control']).toBe(isRead ? fresh : 'no-store')
      }
      const preflight = await ask(path, { method: 'OPTIONS', headers: crossOrigin })
      expectSafe(preflight)
      expect(preflight.status).toBe(404)
    })

    test('reads tokens only from the bearer header', async () => {
      const plain = await ask(path, sent)
      const token = encodeURIComponent(admin.token)
      const cookie = ['token', 'auth', 'authToken', 'session', 'Authorization']
        .map((name) => `${name}=${token}`)
        .join('; ')
      expect((await ask(path, { ...sent, headers: { cookie } })).status).toBe(plain.status)
      const elsewhere = { 'x-auth-token': admin.token, 'x-authorization': `Bearer ${admin.token}` }
      expect((await ask(path, { ...sent, headers: elsewhere })).status).toBe(plain.status)
      const query = `token=${token}&access_token=${token}&authorization=${token}`
      if (route.auth === 'required') {
        expect((await ask(`${path}?${query}`, sent)).status).toBe(401)
        const basic = Buffer.from(`x:${admin.token}`).toString('base64')
        expect((await ask(path, { ...sent, headers: { authorization: `Basic ${basic}` } })).status).toBe(401)
      }
    })
  },
)

/** Paths that other services have treated as URLs of another site. */
const elsewhere = String.raw`
  //evil.example //evil.example/ ///evil.example/%2f.. /\evil.example /%5cevil.example /%2f%2fevil.example
  /.evil.example /@evil.example /http://evil.example /%09/evil.example /%0d%0aLocation:%20//evil.example
  //evil.example/%2e%2e /login?next=//evil.example /api//evil.example /api/v2//evil.example/ /uploads//evil.example
  /api /uploads /admin /admin/ /index.html /assets /assets/ /challs/.. /./ /a/../b`
  .trim()
  .split(/\s+/)

test.each(elsewhere)('%s does not redirect to another site', async (path) => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    expectSafe(
      await ask(path, { method, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }),
    )
  }
})

test('health, metrics, the site and files have the same headers', async () => {
  const data = 'data:text/html;base64,PHNjcmlwdD4='
  const files = { files: [{ name: 'a.html', data }] }
  const stored = await contest.call(uploadFilesV1, { token: admin.token, body: files })
  if (stored.kind !== 'goodFilesUpload') throw new Error(stored.kind)
  const file = new URL(stored.data[0]?.url ?? '', contest.url).pathname
  for (const path of [
    HEALTH_PATH,
    READY_PATH,
    '/metrics',
    '/',
    '/leaderboard',
    '/robots.txt',
    file,
    '/uploads/none',
  ]) {
    expectSafe(await ask(path, { headers: crossOrigin }))
  }
  const { headers } = await ask(file)
  expect(headers['content-disposition']).toMatch(/^attachment/)
})

test('the site cannot be framed and only runs its own scripts', async () => {
  const { headers } = await ask('/any/path')
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)
})
