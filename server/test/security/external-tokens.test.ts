import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testToken } from '@pennant/contract/accounts.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import * as external from '@pennant/contract/external-auth.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { readOwnProfileV1, readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { withMail } from '../mail.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { siteClient } from '../ranking-site.ts'
import { checkResponse } from '../strict.ts'

// Class S2 (README.md): a token issued to another site acts as the team without permissions. It cannot be
// turned into one of the team's own tokens: no route returns a credential for it or lets it change how the
// team signs in.

/** Every route that a team without permissions may call. A new route must be added here. */
const DECISIONS: Readonly<Record<string, 'acts as the team' | 'refused'>> = {
  'GET /api/v1/auth/test': 'acts as the team',
  'GET /api/v1/users/me': 'acts as the team',
  'GET /api/v2/users/me': 'acts as the team',
  'GET /api/v2/users/me/results': 'acts as the team',
  'PATCH /api/v1/users/me': 'acts as the team',
  'PATCH /api/v2/users/me': 'acts as the team',
  'PATCH /api/v2/users/me/avatar': 'acts as the team',
  'GET /api/v1/users/me/members': 'acts as the team',
  'POST /api/v1/users/me/members': 'acts as the team',
  'DELETE /api/v1/users/me/members/:id': 'acts as the team',
  'PUT /api/v1/users/me/auth/email': 'refused',
  'PUT /api/v2/users/me/auth/email': 'refused',
  'DELETE /api/v1/users/me/auth/email': 'refused',
  'PUT /api/v1/users/me/auth/extrank': 'refused',
  'DELETE /api/v1/users/me/auth/extrank': 'refused',
  'GET /api/v2/users/me/pages': 'acts as the team',
  'POST /api/v2/users/me/pages': 'refused',
  'GET /api/v2/people/team': 'refused',
  'GET /api/v2/people/team/activity': 'refused',
  'PUT /api/v2/people/team/link': 'refused',
  'DELETE /api/v2/people/team/:id': 'refused',
  'PUT /api/v2/people/team/captain': 'refused',
  'PUT /api/v2/people/team/token': 'refused',
  'GET /api/v2/fair-play': 'refused',
  'POST /api/v2/fair-play/:id/appeal': 'refused',
  'GET /api/v2/messages': 'refused',
  'POST /api/v2/messages': 'refused',
  'GET /api/v2/messages/:id': 'refused',
  'POST /api/v2/messages/:id': 'refused',
  'PUT /api/v2/messages/:id/read': 'refused',
  'POST /api/v2/users/me/sign-out-everywhere': 'refused',
  'GET /api/v2/users/me/personal-data': 'refused',
  'POST /api/v2/users/me/erase': 'refused',
  // Each tool is a request with the same token.
  'POST /api/mcp': 'acts as the team',
  'GET /api/mcp': 'acts as the team',
  'POST /api/v2/external-auth/authorize': 'refused',
  'POST /api/v2/device-sign-in/info': 'refused',
  'POST /api/v2/device-sign-in/confirm': 'refused',
  'POST /api/v2/device-sign-in/deny': 'refused',
  'GET /api/v2/users/me/tokens': 'refused',
  'POST /api/v2/users/me/tokens': 'refused',
  'GET /api/v2/users/me/fields': 'refused',
  'PUT /api/v2/users/me/fields': 'refused',
  'DELETE /api/v2/users/me/tokens/:id': 'refused',
}

let contest: Contest
let manager: Member
let admin: Member
let client: { readonly id: string; readonly secret: string }
/** The admin's token, issued to the other site. */
let token: string
const redirectUri = 'https://site.example/'

beforeAll(async () => {
  const config = { ...withMail, extrank: siteClient, userMembers: true }
  contest = await startContest({ config })
  manager = await contest.admin(permissions.usersWrite)
  admin = await contest.admin()
  const body = { name: 'Site', redirectUri }
  const made = await contest.call(external.createExternalAuthClient, { token: manager.token, body })
  client = made.data as typeof client
  token = await tokenThroughSite(admin)
})
afterAll(() => contest[Symbol.asyncDispose]())

async function tokenThroughSite(member: Member): Promise<string> {
  const consent = { clientId: client.id, redirectUri }
  const { data } = await contest.call(external.authorizeExternalAuth, { token: member.token, body: consent })
  const code = new URL((data as { redirectTo: string }).redirectTo).searchParams.get('code') ?? ''
  const body = { clientId: client.id, clientSecret: client.secret, code }
  const result = await contest.call(external.exchangeExternalAuthCode, { body })
  return (result.data as { accessToken: string }).accessToken
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const)
const required = allRoutes.filter(({ auth }) => auth === 'required')
const permissioned = required.filter(({ perms }) => perms && perms.length > 0)
const open = required.filter((route) => !permissioned.includes(route))

async function ask(route: Route): Promise<{ readonly kind: string | undefined; readonly text: string }> {
  const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', 'x']))
  const response = await fetch(contest.url + addressOf(route, { params }), {
    method: route.method,
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const result = JSON.parse(text) as { kind?: string }
  checkResponse(route, response, result)
  return { kind: result.kind, text }
}

/** Tokens in the text that sign someone in, directly or after another step. */
function credentialsIn(text: string): string[] {
  const { tokens } = contest.app.stores
  const kinds = ['auth', 'external', 'team', 'register', 'update', 'handoff'] as const
  return (text.match(/[\w+/-]{40,}={0,2}/g) ?? []).filter((word) => tokens.open(word, kinds) !== null)
}

test('every route that requires a token but no permission has an entry in the list', () => {
  const decided = open.filter(({ path }) => !path.includes('/challs/')).map(nameOf)
  expect(decided.toSorted()).toEqual(Object.keys(DECISIONS).toSorted())
})

test("of the routes that return a credential, another site can read only the team's profile", () => {
  expect(
    open.filter((route) => route.secret && route.scope !== null && !route.ownTokenOnly && !route.captainOnly),
  ).toEqual([readOwnProfileV1, readOwnProfileV2])
})

describe("an admin's token for another site", () => {
  test.each(named(permissioned))('has no permission at %s', async (_name, route) => {
    expect((await ask(route)).kind).toBe('badPerms')
  })

  test.each(named(open))('gets no credential at %s', async (name, route) => {
    const { kind, text } = await ask(route)
    expect(kind === 'badPerms').toBe(DECISIONS[name] === 'refused')
    expect(kind).not.toBe('badToken')
    expect(credentialsIn(text)).toEqual([])
  })

  test.each(named(allRoutes.filter(({ gate }) => gate)))(
    'does not open %s before the start',
    async (_name, route) => {
      contest.clock.advance(-2 * HOUR_MS)
      try {
        expect((await ask(route)).kind).toBe('badNotStarted')
      } finally {
        contest.clock.advance(2 * HOUR_MS)
      }
    },
  )

  test('reads its team without permissions and without a team token, in both versions', async () => {
    for (const route of [readOwnProfileV1, readOwnProfileV2]) {
      const { kind, data } = await contest.call(route, { token })
      expect([kind, data]).toMatchObject([
        expect.stringMatching(/^goodUser/),
        { id: admin.id, perms: 0, teamToken: '' },
      ])
      const own = await contest.call(route, { token: admin.token })
      expect(own.data).toMatchObject({ perms: 63, teamToken: expect.stringMatching(/.{40}/) })
      // Shows that the crawl above would find a credential.
      expect(credentialsIn(JSON.stringify(own.data))).toHaveLength(1)
    }
  })

  test('remains valid after its client is deleted', async () => {
    const params = { id: client.id }
    await contest.call(external.deleteExternalAuthClient, { token: manager.token, params, query: {} })
    expect((await contest.call(testToken, { token })).kind).toBe('goodToken')
  })
})
