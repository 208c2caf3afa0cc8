import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { login } from '@pennant/contract/accounts.ts'
import { readOverview } from '@pennant/contract/overview.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { addressOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, testTokenKey, type Contest, type Member } from '../harness.ts'
import { bodyIn, checkResponse } from '../strict.ts'
import { addressesOf, readRoutes } from './crawl.ts'

// An attacker's view of the public demo: the organiser's token is known to everyone (docs/operate/public-demo.md).

const FLAG = 'flag{known}'
let seeded: Contest
let demo: Contest
let organiser: Member
let player: Member

beforeAll(async () => {
  seeded = await startContest()
  const flags = [{ provider: 'flags/static', config: { flag: FLAG } }]
  await putChallenge(seeded.db, { ...challengeRow('web'), flags })
  organiser = await seeded.admin()
  player = await seeded.team()
  demo = await startContest({
    beside: seeded,
    config: {
      proxy: { trust: ['loopback'] },
      registrationsEnabled: false,
      publicDemo: { organiser: organiser.id, players: [player.id], resetAt: FIRST_INSTANT },
    },
  })
})
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]()
  await seeded?.[Symbol.asyncDispose]()
})

/** Each request comes from another address, so that only the shared limits apply. */
let senders = 0
async function kindOf(route: Route, { token }: Partial<Member>, address?: string): Promise<string> {
  const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'web']))
  senders += 1
  demo.clock.advance(1_000)
  const response = await fetch(demo.url + (address ?? addressOf(route, { params, query: {} })), {
    method: route.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'x-forwarded-for': `10.9.${senders >> 8}.${senders & 255}`,
    },
    body: route.method === 'GET' ? null : '{}',
    // A stream does not end.
    signal: AbortSignal.timeout(10_000),
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return 'stream'
  }
  const body = bodyIn(route, response, await response.text())
  checkResponse(route, response, body)
  return route.text ? String(response.status) : ((body as { kind?: string } | undefined)?.kind ?? 'file')
}

/** The only requests with another method than GET that do something. The three of organisers only read. */
const SERVED = [
  'POST /api/v1/auth/login',
  'POST /api/v1/challs/:id/submit',
  'POST /api/v2/challs/:id/hints/:hintId/purchase',
  'POST /api/v2/admin/users',
  'POST /api/v2/admin/submissions',
]

test('every route that writes is refused, for the organiser, a player and anyone', async () => {
  const writes = allRoutes.filter(({ method }) => method !== 'GET')
  const served = new Set<string>()
  for (const route of writes) {
    for (const caller of [organiser, player, {}])
      if ((await kindOf(route, caller)) !== 'badPublicDemo') served.add(`${route.method} ${route.path}`)
  }
  expect(writes.length).toBeGreaterThan(80)
  expect([...served].toSorted()).toEqual(SERVED.toSorted())
})

test('an organiser reads pages, but no exports and nothing about the machine', async () => {
  const refused: string[] = []
  for (const route of readRoutes) {
    const kind = await kindOf(route, organiser)
    if (kind === 'badPublicDemo') refused.push(route.path)
    else expect(kind, route.path).not.toBe('badPerms')
  }
  expect(refused.toSorted()).toEqual(
    [
      '/api/v2/admin/actions.csv',
      '/api/v2/admin/actions.jsonl',
      '/api/v2/admin/admin-bot/challenges/:id/source',
      '/api/v2/admin/admin-bot/queue-depth',
      '/api/v2/admin/challenges/archive',
      '/api/v2/admin/diagnosis',
      '/api/v2/admin/statistics/tables/:table',
    ].toSorted(),
  )
})

async function submitAs(visitor: string, flag: string): Promise<string> {
  const response = await fetch(demo.url + addressOf(submitFlag, { params: { id: 'web' } }), {
    method: 'POST',
    headers: { authorization: `Bearer ${player.token}`, 'x-forwarded-for': visitor },
    body: JSON.stringify({ flag }),
  })
  return ((await response.json()) as { kind: string }).kind
}

test('no page shows what another visitor typed, where it came from, or a secret of the server', async () => {
  demo.clock.advance(60_000)
  expect(await submitAs('203.0.113.77', 'my password by mistake')).toBe('badFlag')
  expect(await submitAs('203.0.113.78', FLAG)).toBe('goodFlag')
  const seeds = { challengeIds: ['web'], teamIds: [organiser.id, player.id], token: organiser.token }
  const hidden = /my password|203\.0\.113|pennant-test-|tokenKey/
  let pages = 0
  for (const route of readRoutes.filter(({ path }) => path !== '/api/v2/stream')) {
    for (const address of addressesOf(route, seeds)) {
      demo.clock.advance(1_000)
      const response = await fetch(demo.url + address, {
        headers: { authorization: `Bearer ${organiser.token}`, 'x-forwarded-for': '10.8.0.1' },
      })
      const text = await response.text()
      pages += response.ok ? 1 : 0
      expect(hidden.exec(text)?.[0], address).toBeUndefined()
      expect(text).not.toContain(testTokenKey.toString('base64'))
    }
  }
  expect(pages).toBeGreaterThan(60)
  const listed = await demo.call(filterSubmissions, {
    token: organiser.token,
    query: { limit: '10', offset: '0' },
    body: {},
  })
  expect(JSON.stringify(listed)).toContain('(hidden in the public demo)')
})

test('everyone signs in with the tokens that the configuration of clients has', async () => {
  const config = await demo.call(getClientConfigV2, {})
  if (config.kind !== 'goodClientConfig' || !config.data.publicDemo) throw new Error(config.kind)
  const { organiserToken, playerTokens } = config.data.publicDemo
  for (const teamToken of [organiserToken, ...playerTokens])
    expect(await demo.call(login, { body: { teamToken } })).toMatchObject({ kind: 'goodLogin' })
})

test('one visitor cannot use up what others may do', async () => {
  const read = (from: string) =>
    fetch(demo.url + readOverview.path, {
      headers: { authorization: `Bearer ${organiser.token}`, 'x-forwarded-for': from },
    })
  const greedy = await Promise.all(Array.from({ length: 310 }, () => read('198.51.100.1')))
  expect(greedy.filter(({ status }) => status === 429)).toHaveLength(10)
  expect((await read('198.51.100.2')).status).toBe(200)
  await Promise.all(greedy.map((response) => response.arrayBuffer()))
})

test('all visitors together write only so many rows', async () => {
  demo.clock.advance(60_000)
  const attempts = Array.from({ length: 305 }, (_, at) =>
    fetch(demo.url + login.path, {
      method: 'POST',
      headers: { 'x-forwarded-for': `10.7.${at >> 8}.${at & 255}` },
      body: JSON.stringify({ teamToken: 'x' }),
    }).then(async (response) => ((await response.json()) as { kind: string }).kind),
  )
  const kinds = await Promise.all(attempts)
  expect(kinds.filter((kind) => kind === 'badRateLimit')).toHaveLength(5)
})

test('a public demo that could reach anything outside does not start', () => {
  const values = {
    tokenKey: testTokenKey.toString('base64'),
    publicDemo: { organiser: 'a', players: ['b'], resetAt: FIRST_INSTANT },
  }
  const start = (more: object) => () => readConfig([{ source: 'test', values: { ...values, ...more } }])
  expect(start({})).not.toThrow()
  const from = 'ctf@ctf.example'
  for (const more of [
    { email: { provider: { name: 'emails/memory' }, from } },
    { extrank: { clientId: 1, clientSecret: 'x' } },
    { database: { url: 'postgres://db/ctf' } },
    { backup: { schedule: 60_000 } },
    { tracing: { endpoint: 'http://traces:4318' } },
    { analytics: { provider: { name: 'analytics/google', options: { siteTag: 'G-1' } } } },
  ])
    expect(start(more), JSON.stringify(more)).toThrow(/publicDemo/)
})
