import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allRoutes } from './all.ts'
import { allScopes, scopeTexts } from './scopes.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Credentials, permissions, and routes that can change what other scopes protect. */
const NEVER: readonly string[] = [
  'PUT /api/v1/users/me/auth/email',
  'PUT /api/v2/users/me/auth/email',
  'DELETE /api/v1/users/me/auth/email',
  'PUT /api/v1/users/me/auth/extrank',
  'DELETE /api/v1/users/me/auth/extrank',
  'POST /api/v2/users/me/sign-out-everywhere',
  'POST /api/v2/external-auth/authorize',
  'POST /api/v2/device-sign-in/confirm',
  'GET /api/v2/admin/external-auth/clients',
  'POST /api/v2/admin/external-auth/clients',
  'DELETE /api/v2/admin/external-auth/clients/:id',
  'PUT /api/v2/admin/organisers/:id',
  'POST /api/v2/admin/users/:id/token',
  'POST /api/v2/admin/users/:id/sign-out-everywhere',
  'POST /api/v2/admin/actions/:id/undo',
  'POST /api/v2/admin/import',
]

test('a route has a scope if, and only if, it uses the token of a team', () => {
  for (const route of allRoutes) {
    const { auth, gate, shows, limitedTo } = route
    const usesToken =
      ['required', 'optional', 'person'].includes(auth) || Boolean(gate ?? limitedTo ?? shows?.length)
    expect(route.scope !== undefined, nameOf(route)).toBe(usesToken)
  }
})

test('no API token may use routes of credentials and permissions', () => {
  expect(allRoutes.filter(({ scope }) => scope === null).map(nameOf)).toEqual(
    expect.arrayContaining([...NEVER]),
  )
  const open = allRoutes
    .filter(({ scope, ownTokenOnly, captainOnly }) => (ownTokenOnly || captainOnly) && scope)
    .map(nameOf)
  expect(open.filter((name) => !name.includes('/messages'))).toEqual([])
})

test('each scope has a route, and one that only reads opens no route that changes anything', () => {
  const reads = new Set(['read', 'organise:read', 'challenges:read', 'teams:read'])
  /** Lists with filters, a trial that stores nothing, and messages whose tools need the scopes of their own routes. */
  const isRead =
    /^POST .*(?:\/admin\/users|\/admin\/submissions|\/upload\/query|\/flag-trials|\/field-answers|\/fair-play\/preview|\/mcp)$/
  for (const scope of allScopes) {
    const routes = allRoutes.filter((route) => route.scope === scope)
    expect(routes.length, scope).toBeGreaterThan(0)
    if (!reads.has(scope)) continue
    expect(
      routes.filter((route) => route.method !== 'GET' && !isRead.test(nameOf(route))).map(nameOf),
      scope,
    ).toEqual([])
  }
})

test('the reference describes each scope', () => {
  const page = readFileSync(new URL('../../docs/reference/api-tokens.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w:]+)` +\| (.*?) +\|$/gm)].map(([, name, text]) => [name, text])
  expect(rows).toEqual(Object.entries(scopeTexts))
})
