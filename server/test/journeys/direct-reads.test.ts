import type { OutgoingHttpHeaders } from 'node:http'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putChallenge, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { exchange, type RawResponse } from '../raw-exchange.ts'
import { addressesOf, readRoutes } from '../security/crawl.ts'

// Reads are answered before Fastify if nothing about them is unusual (docs/decisions/0050-reads-before-the-framework.md). A request
// that announces an empty body takes the long way, and must get the same response.

let contest: Contest
let team: Member
let admin: Member

beforeAll(async () => {
  contest = await startContest()
  team = await contest.team('direct')
  admin = await contest.admin()
  await putChallenge(contest.db, challengeRow('one', { description: 'x'.repeat(2000) }))
  await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
  await putSolve(contest.db, solveRow(1, { challengeId: 'one', teamId: team.id }))
  await contest.app.stores.follower.catchUp()
})
afterAll(() => contest[Symbol.asyncDispose]())

const CONTENT = '/api/v2/leaderboard/now?limit=100&offset=0'

const get = (path: string, headers: OutgoingHttpHeaders) => exchange(contest.url + path, { headers })

/** Without what differs between any two requests. */
function comparable({ status, headers: { date: _date, ...headers }, body }: RawResponse) {
  return { status, headers, body: body.replace(/"teamToken":"[^"]*"/, '') }
}

async function expectSame(path: string, headers: OutgoingHttpHeaders): Promise<RawResponse> {
  const direct = await get(path, headers)
  const other = await get(path, { ...headers, 'content-length': '0' })
  expect(comparable(direct), `${path} ${JSON.stringify(headers)}`).toEqual(comparable(other))
  return direct
}

test('every read has the same response both ways, for every caller', async () => {
  const seeds = {
    challengeIds: ['one', 'hidden', 'missing'],
    teamIds: [team.id, 'missing'],
    token: team.token,
  }
  const callers = [
    {},
    ...[team.token, admin.token, 'x'].map((token) => ({ authorization: `Bearer ${token}` })),
  ]
  // A stream stays open, and a request for changed times waits.
  const routes = readRoutes.filter(({ path }) => !path.endsWith('/stream'))
  expect((await get(CONTENT, {})).body).toContain(team.id)
  let count = 0
  for (const path of new Set(routes.flatMap((route) => addressesOf(route, seeds)))) {
    for (const caller of callers) {
      // Searches are limited.
      await contest.clock.advance(MINUTE_MS)
      await expectSame(path, caller)
      count += 1
    }
  }
  expect(count).toBeGreaterThan(200)
})

test.each(['/api/v2/challs', '/api/v2/users/me', CONTENT, '/api/v2/integrations/client/config'])(
  '%s is compressed, and not sent again to who has it',
  async (path) => {
    const authorization = `Bearer ${team.token}`
    for (const coding of ['gzip', 'br', 'gzip;q=0, br', 'identity']) {
      const got = await get(path, { authorization, 'accept-encoding': coding })
      expect(got.status).toBe(200)
      // The token differs in each response, so its compressed form does too.
      if (!path.endsWith('/me')) await expectSame(path, { authorization, 'accept-encoding': coding })
      const etag = got.headers.etag
      if (etag === undefined) continue
      const again = await expectSame(path, {
        authorization,
        'accept-encoding': coding,
        'if-none-match': `"other", W/${etag}`,
      })
      expect(again.status).toBe(304)
      expect(again.body).toBe('')
    }
  },
)

test('profiles that are read at the same time keep their own bytes', async () => {
  const teams = await Promise.all(
    Array.from({ length: 8 }, (_, n) => contest.team(`profile ${n} ${'x'.repeat(n)}`)),
  )
  const reads = Array.from({ length: 200 }, async (_, n) => {
    const { id, token } = teams[n % teams.length] ?? team
    const { body } = await get('/api/v2/users/me', { authorization: `Bearer ${token}` })
    const { data } = JSON.parse(body) as { data: { id: string; teamToken: string } }
    return { isOwn: data.id === id, token: data.teamToken }
  })
  const found = await Promise.all(reads)
  expect(found.filter(({ isOwn }) => !isOwn)).toEqual([])
  expect(new Set(found.map(({ token }) => token)).size).toBe(found.length)
})

test.each<OutgoingHttpHeaders>([
  { 'Accept-Encoding': ['gzip;q=0', 'br'] },
  { 'ACCEPT-ENCODING': 'br', 'If-None-Match': ['"one"', '*'] },
  { Authorization: ['Bearer x', 'Bearer y'] },
  { 'x-forwarded-for': ['192.0.2.1', '192.0.2.2'], Via: '1.1 proxy' },
  Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`x-${n}`, String(n)])),
  { 'accept-encoding': '', authorization: '' },
  { 'if-none-match': '' },
])('headers are read in the same way: %j', async (headers) => {
  await expectSame('/api/v2/challs', headers)
  await expectSame(CONTENT, headers)
})

test.each([
  '/api/v2/challs/',
  '/api/v2/challs//solves?limit=1&offset=0',
  '/api/v2/challs/one/solves/',
  '/api/v2/challs/%6fne/solves?limit=1&offset=0',
  '/api/v2/challs/one/solves?limit=1&limit=2&offset=0',
  '/api/v2/challs/one/solves?limit=1;offset=0',
  '/api/v2/challs/one/solves?limit=1&offset=0#part',
  '/api/v2/challs/one/solves?__proto__=1&limit=1&offset=0',
  '/api/v2/challs/one/solves?limit=-1&offset=0',
  '/api/v2/challs/one/solves?limit=1e9&offset=0',
  '/api/v2/users/me/../me',
  '/api/v2//challs',
  '/api/v2/CHALLS',
  '/api/v2/users/',
  '/api/v2/users/constructor',
  '/api/v2/unknown',
  `/api/v2/users/${'x'.repeat(300)}`,
])('an unusual address has the same response both ways: %s', async (path) => {
  await expectSame(path, {})
  await expectSame(path, { authorization: `Bearer ${team.token}` })
})

test('the metrics count reads of both kinds', async () => {
  const before = await countOf('/api/v2/challs')
  await expectSame('/api/v2/challs', {})
  await expect.poll(() => countOf('/api/v2/challs')).toBe(before + 2)
})

async function countOf(path: string): Promise<number> {
  const { body } = await get('/metrics', {})
  const line = body
    .split('\n')
    .find((each) => each.startsWith(`http_requests_total{route="${path}",method="GET",status="200"}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}
