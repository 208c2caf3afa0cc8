import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkShape } from './check-shape.ts'
import { createMockFetch, mockEndpoints } from './fetch.ts'
import { phases, usualScenario } from './scenario.ts'
import { tokenOf } from './world.ts'

/** Routes that only other programs or older clients use. */
const OF_OTHERS =
  /\/admin-bot\/(jobs|challenges|queue)|\/analytics\/|openapi|external-auth\/token|extrank\/standings|^POST .*\/scores$/

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const answered = new Set(mockEndpoints.map(({ route }) => nameOf(route)))

/** A valid request for each route, by method and path; sent as the organiser by default. */
const REQUESTS: Readonly<
  Record<string, { params?: object; query?: object; body?: unknown; form?: FormData; as?: string }>
> = {
  'GET /api/v2/auth/verify-info': { query: { token: 'mail-team' } },
  'POST /api/v2/auth/verify-info': { body: { token: 'mail-team' } },
  'POST /api/v2/auth/verify': { body: { verifyToken: 'mail-register' } },
  'POST /api/v2/auth/register': { body: { name: 'Newcomers', email: 'a@example.org' } },
  'GET /api/v2/admin/actions': { query: {} },
  'GET /api/v2/admin/actions.csv': { query: {} },
  'GET /api/v2/admin/actions.jsonl': { query: {} },
  'POST /api/v2/admin/actions/:id/undo': { params: { id: '5' } },
  'POST /api/v2/auth/recover': { body: { email: 'a@example.org' } },
  'POST /api/v1/auth/login': { body: { teamToken: tokenOf('team-player') } },
  'POST /api/v1/integrations/extrank/callback': { body: { extrankCode: 'code' } },
  'PUT /api/v1/users/me/auth/extrank': { body: { extrankToken: 'mock-rank' } },
  'DELETE /api/v1/users/me/auth/extrank': { as: 'team-player' },
  'PATCH /api/v2/users/me': { body: { statusText: 'hello' }, as: 'team-player' },
  'PUT /api/v2/users/me/auth/email': { body: { email: 'b@mail.example' }, as: 'team-player' },
  'DELETE /api/v1/users/me/auth/email': { as: 'team-player' },
  'POST /api/v1/users/me/members': { body: { email: 'c@mail.example' }, as: 'team-player' },
  'DELETE /api/v1/users/me/members/:id': { params: { id: 'member-1' }, as: 'team-player' },
  'PATCH /api/v2/users/me/avatar': { form: new FormData(), as: 'team-player' },
  'POST /api/v1/challs/:id/submit': { body: { flag: 'flag{the_moon_is_a_weak_key}' }, as: 'team-player' },
  'POST /api/v2/integrations/challs/:id/admin-bot': { body: { inputs: { url: 'https://example.org' } } },
  'PATCH /api/v2/integrations/challs/:id/instance': { as: 'team-player' },
  'GET /api/v2/integrations/challs/:id/admin-bot/jobs/:jobId/logs': {
    params: { id: 'guest-book', jobId: 'job-1' },
    as: 'team-player',
  },
  'PUT /api/v2/admin/challs/:id': { body: { data: { name: 'Fresh', flag: 'flag{x}' } } },
  'POST /api/v2/admin/flag-trials': {
    body: { data: { trials: [{ challengeId: 'tide-table', flag: 'flag{x}' }] } },
  },
  'DELETE /api/v2/admin/challs/:challengeId/solves/:userId': {
    params: { challengeId: 'raise-your-flag', userId: 'team-player' },
  },
  'DELETE /api/v2/admin/challs/:challengeId/instances/:userId': {
    params: { challengeId: 'guest-book', userId: 'team-player' },
  },
  'POST /api/v2/admin/upload': { form: new FormData() },
  'GET /api/v2/admin/challenges/archive': { query: {} },
  'POST /api/v2/admin/challenges/archive': { query: {}, form: new FormData() },
  'POST /api/v2/admin/import': { query: { source: 'ctfd' }, form: new FormData() },
  'POST /api/v2/admin/upload/query': { body: { uploads: [{ sha256: 'a'.repeat(64), name: 'x' }] } },
  'PUT /api/v2/admin/organisers/:id': { params: { id: 'team-1' }, body: { data: { perms: 3 } } },
  'PUT /api/v2/admin/users/:id': { params: { id: 'team-1' }, body: { data: { banned: true } } },
  'DELETE /api/v2/admin/users/:userId/solves': { params: { userId: 'team-1' } },
  'PATCH /api/v2/admin/users/:id/avatar': { params: { id: 'team-1' }, form: new FormData() },
  'GET /api/v2/statistics/tables/:table': { params: { table: 'hours' } },
  'GET /api/v2/admin/statistics/tables/:table': { params: { table: 'hours' } },
  'GET /api/v2/admin/statistics/wrong-flags': { query: { limit: '10', offset: '0' } },
  'GET /api/v2/leaderboard/at': { query: { limit: '10', offset: '0', time: '1800000000000' } },
  'GET /api/v2/admin/leaderboard/ceremony': {
    query: { limit: '10', from: '1800000000000', until: '1800000000001' },
  },
  'GET /api/v2/users/:id': { params: { id: 'team-player' } },
  'GET /api/v2/admin/scores/preview': { query: { min: '100', max: '500' } },
  'POST /api/v2/admin/diagnosis': { body: { sendMail: false } },
  'GET /api/v2/users/:id/adjustments': { params: { id: 'team-player' } },
  'GET /api/v2/admin/adjustments': { query: { limit: '10', offset: '0' } },
  'POST /api/v2/admin/adjustments': { body: { data: { userId: 'team-1', points: 5, reason: 'Fair play' } } },
  'DELETE /api/v2/admin/adjustments/:id': { params: { id: 'adjustment-1' } },
  'GET /api/v2/challs/:id/hints': { params: { id: 'two-time-pad' }, as: 'team-player' },
  'POST /api/v2/challs/:id/hints/:hintId/purchase': {
    params: { id: 'two-time-pad', hintId: 'hint-priced' },
    body: { price: 50 },
    as: 'team-player',
  },
  'POST /api/v2/admin/challs/:id/hints': { body: { data: { text: 'Look.' } } },
  'PUT /api/v2/admin/challs/:id/hints/order': {
    params: { id: 'two-time-pad' },
    body: { data: { hintIds: ['hint-priced', 'hint-free', 'hint-waiting'] } },
  },
  'PUT /api/v2/admin/hints/:id': { params: { id: 'hint-free' }, body: { data: { version: 1, price: 5 } } },
  'POST /api/v2/admin/hints/:id/release': { params: { id: 'hint-waiting' } },
  'DELETE /api/v2/admin/hints/:id': { params: { id: 'hint-free' }, query: {} },
  'POST /api/v2/admin/teams': { body: { data: { name: 'By hand', email: 'a@b.example', division: 'open' } } },
  'POST /api/v2/admin/announcements': { body: { data: { title: 'News' } } },
  'PUT /api/v2/admin/announcements/:id': {
    params: { id: 'announcement-1' },
    body: { data: { version: 1, title: 'Renamed' } },
  },
  'GET /api/v2/admin/announcements/:id': { params: { id: 'announcement-1' } },
  'DELETE /api/v2/admin/announcements/:id': { params: { id: 'announcement-1' } },
  'POST /api/v2/admin/waves': { body: { data: { name: 'Wave 3' } } },
  'PUT /api/v2/admin/waves/:id': { params: { id: 'wave-1' }, body: { data: { version: 1, name: 'First' } } },
  'POST /api/v2/admin/waves/:id/move': {
    params: { id: 'wave-1' },
    body: { data: { version: 1, byMs: 60_000 } },
  },
  'GET /api/v2/admin/waves/:id/check': { params: { id: 'wave-1' } },
  'POST /api/v2/admin/waves/:id/check': { params: { id: 'wave-1' } },
  'DELETE /api/v2/admin/waves/:id': { params: { id: 'wave-1' } },
  'POST /api/v2/messages': { body: { subject: 'Question', content: 'How?' }, as: 'team-player' },
  'GET /api/v2/messages/:id': { params: { id: 'thread-1' }, as: 'team-player' },
  'POST /api/v2/messages/:id': {
    params: { id: 'thread-1' },
    body: { content: 'More' },
    as: 'team-player',
  },
  'PUT /api/v2/messages/:id/read': {
    params: { id: 'thread-1' },
    body: { number: 1 },
    as: 'team-player',
  },
  'GET /api/v2/admin/messages/:id': { params: { id: 'thread-1' } },
  'POST /api/v2/admin/messages/:id': {
    params: { id: 'thread-1' },
    body: { data: { version: 2, content: 'Yes.' } },
  },
  'PUT /api/v2/admin/messages/:id': {
    params: { id: 'thread-1' },
    body: { data: { version: 2, closed: true } },
  },
  'PUT /api/v2/admin/message-options': { body: { data: { version: 1, enabled: false } } },
  'PUT /api/v2/admin/settings': { body: { data: { ctfName: 'Renamed' } } },
  'POST /api/v2/external-auth/authorize': {
    body: { clientId: 'client-1', redirectUri: 'https://wiki.harbour.example/signed-in', state: 's' },
  },
  'GET /api/v2/external-auth/clients/:id': { params: { id: 'client-1' } },
  'DELETE /api/v2/admin/external-auth/clients/:id': { params: { id: 'client-1' } },
  'POST /api/v2/admin/incidents': {
    body: {
      title: 'Slow',
      severity: 'minor',
      components: ['site'],
      state: 'investigating',
      text: 'We look.',
    },
  },
  'POST /api/v2/admin/incidents/:id/updates': { body: { state: 'resolved', text: 'Done.' } },
  'POST /api/v2/admin/external-auth/clients': { body: { name: 'Chat', redirectUri: 'https://chat.example' } },
}

function usualParams(path: string) {
  if (path.includes('verifications')) return { id: 'verification-1' }
  if (path.includes('incidents')) return { id: 'incident-1' }
  if (path.includes('/challs/'))
    return { id: path.includes('instance') || path.includes('bot') ? 'guest-book' : 'tide-table' }
  return { id: 'team-2' }
}

async function ask(call: Client, route: Route) {
  const { as = 'team-admin', ...given } = REQUESTS[nameOf(route)] ?? {}
  const usual = {
    token: tokenOf(as),
    params: usualParams(route.path),
    query: { limit: '10', offset: '0' },
    body: {},
  }
  return call(route, { ...usual, ...given } as never) as Promise<{ kind: string; data: unknown }>
}

describe('every route', () => {
  let call: Client
  beforeEach(() => {
    call = createClient({ baseUrl: '', fetch: createMockFetch(usualScenario), onResponse: checkShape })
  })

  it.each(mockEndpoints.map(({ route }) => [nameOf(route), route] as const))(
    'returns a successful response for %s',
    async (_, route) => {
      expect((await ask(call, route)).kind).toMatch(/^(good|unwrapped)/)
    },
  )

  it.each(mockEndpoints.map(({ route }) => [nameOf(route), route] as const))(
    'returns a declared response for %s in every phase, for every role and for an empty contest',
    async (_, route) => {
      for (const phase of phases)
        for (const isEmpty of [false, true]) {
          const fetch = createMockFetch({ ...usualScenario, phase, isEmpty, teams: 5 })
          const open = createClient({ baseUrl: '', fetch, onResponse: checkShape })
          for (const as of ['team-admin', 'team-player', 'team-banned', 'nobody']) {
            const response = await open(route, { ...(await requestOf(route)), token: tokenOf(as) } as never)
            expect(response.kind).not.toMatch(/^error/)
          }
        }
    },
  )

  it('is implemented if the site imports it', async () => {
    const used = await routesOfSite()
    expect(used.length).toBeGreaterThan(40)
    expect(used.filter((name) => !answered.has(name) && !OF_OTHERS.test(name))).toEqual([])
  })
})

function requestOf(route: Route) {
  const { as: _, ...given } = REQUESTS[nameOf(route)] ?? {}
  return { params: usualParams(route.path), query: { limit: '10', offset: '0' }, body: {}, ...given }
}

const IMPORT = /import \{([^}]+)\} from '@pennant\/contract\/([\w-]+\.ts)'/g

/** The routes that the site's sources import from the contract. */
async function routesOfSite(): Promise<string[]> {
  const folder = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const found = new Set<string>()
  for (const file of files)
    for (const [, names = '', module = ''] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)) {
      const exported = (await import(`../../contract/src/${module}`)) as Record<
        string,
        Partial<Route> | undefined
      >
      for (const name of names.split(',').map((each) => each.trim())) {
        const value = exported[name]
        if (value?.method && value.path && value.replies) found.add(nameOf(value as Route))
      }
    }
  return [...found]
}
