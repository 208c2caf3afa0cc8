import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { badScope } from '@pennant/contract/replies.ts'
import type { Route } from '@pennant/contract/route.ts'
import { allScopes, type Scope } from '@pennant/contract/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiTokenOf } from '../api-tokens.ts'
import { startContest, type Contest } from '../harness.ts'
import { checkResponse } from '../strict.ts'

// Class S2 (README.md): an API token opens exactly the routes of its scopes. Each route is called with a token of its scope
// alone, and with one of all other scopes, both of an organiser with all permissions.

let contest: Contest
const only = new Map<Scope, string>()
const allBut = new Map<Scope, string>()
let all: string

beforeAll(async () => {
  contest = await startContest()
  const [one, other] = [await contest.admin(), await contest.admin()]
  for (const scope of allScopes) {
    only.set(scope, (await apiTokenOf(contest, one.token, [scope])).token)
    const rest = allScopes.filter((each) => each !== scope)
    allBut.set(scope, (await apiTokenOf(contest, other.token, rest)).token)
  }
  all = (await apiTokenOf(contest, other.token, allScopes)).token
})
afterAll(() => contest[Symbol.asyncDispose]())

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const)

async function ask(route: Route, token: string | undefined) {
  const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', 'x']))
  const response = await fetch(contest.url + addressOf(route, { params }), {
    method: route.method,
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  // A route of text says its refusals in text.
  if (text === badScope({ scope: null }).reply.message)
    return { kind: 'badScope', data: { scope: route.scope } }
  const isJson = response.headers.get('content-type')?.startsWith('application/json;') ?? false
  const body = (isJson ? JSON.parse(text) : {}) as { readonly kind?: string; readonly data?: unknown }
  if (body.kind === 'badScope') checkResponse(route, response, body)
  return body
}

const scoped = allRoutes.filter(({ scope }) => scope)
const closed = allRoutes.filter(({ scope }) => scope === null)
const open = allRoutes.filter(({ scope }) => scope === undefined)

describe('a token with all scopes but the one of the route', () => {
  test.each(named(scoped))('is refused at %s', async (_name, route) => {
    const { scope } = route
    expect(await ask(route, allBut.get(scope as Scope))).toMatchObject({ kind: 'badScope', data: { scope } })
  })
})

describe('a token with only the scope of the route', () => {
  test.each(named(scoped))('passes the check at %s', async (_name, route) => {
    const { kind } = await ask(route, only.get(route.scope as Scope))
    expect(['badScope', 'badPerms', 'badToken', 'badNotStarted']).not.toContain(kind)
  })
})

describe('a token with all scopes', () => {
  test.each(named(closed))('is refused at %s', async (_name, route) => {
    expect(await ask(route, all)).toMatchObject({ kind: 'badScope', data: { scope: null } })
  })

  test.each(named(open))('is not refused for its scopes at %s', async (_name, route) => {
    expect((await ask(route, all)).kind).not.toBe('badScope')
  })
})
