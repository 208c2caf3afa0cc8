import { expect, test } from 'vitest'
import { allRoutes } from './all.ts'
import { declaredReplies } from './declared.ts'
import { limits, limitOf, limitsOf } from './limits.ts'

/** The keys that a route's caller allows: a bucket per team needs a team. */
const FITS: Readonly<Record<string, readonly string[]>> = {
  // A person is made in seconds, an address is not.
  address: ['public', 'optional', 'signature', 'person'],
  person: ['person'],
  team: ['required'],
  'worker key': ['service'],
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Each responds from memory, with work bounded by the number of challenges, waves, announcements or pages. */
const UNLIMITED: readonly string[] = [
  'GET /api/v1/auth/test',
  'GET /api/v1/users/:id',
  'GET /api/v2/users/:id',
  'GET /api/v1/users/me',
  'GET /api/v2/users/me',
  'GET /api/v2/users/me/results',
  'GET /api/v1/challs',
  'GET /api/v2/challs',
  'GET /api/v1/integrations/client/config',
  'GET /api/v2/integrations/client/config',
  'GET /api/v2/announcements',
  'GET /api/v2/announcements/feed',
  'GET /api/v2/pages/:slug',
  'GET /api/v2/users/me/pages',
  'GET /api/v2/status',
  'GET /api/v2/integrations/captcha/challenge',
  'GET /api/v2/waves/next',
  'GET /api/v2/challs/:id/hints',
  'GET /api/v2/users/:id/adjustments',
  'GET /api/v2/diagnosis/address',
  'GET /api/v2/integrations/challs/:id/admin-bot/config',
  'GET /api/openapi.json',
]

test('only routes served from memory are unlimited', () => {
  const free = allRoutes.filter((route) => limitsOf(route).length === 0).map(nameOf)
  expect(free.toSorted()).toEqual(UNLIMITED.toSorted())
})

test('a limit that the pipeline applies has a key that the route provides', () => {
  for (const route of allRoutes) {
    for (const name of route.limits) {
      expect(FITS[limitOf(name).key], `${name} at ${route.path}`).toContain(route.auth)
    }
  }
})

test('both versions of a route have the same limits', () => {
  const byName = new Map(allRoutes.map((route) => [nameOf(route), limitsOf(route)]))
  const versions = [...byName.keys()].filter(
    (name) => name.includes('/v1/') && byName.has(name.replace('/v1/', '/v2/')),
  )
  expect(versions.length).toBeGreaterThan(10)
  for (const name of versions) {
    const later = (byName.get(name.replace('/v1/', '/v2/')) ?? []).filter(
      // Version 1 of the leaderboard has no search.
      (limit) => limit !== 'leaderboardSearches',
    )
    expect(byName.get(name), name).toEqual(later)
  }
})

test('every limit is used, and a limited route declares badRateLimit', () => {
  // The pipeline applies the limit of API tokens to every route that they may use.
  const used = new Set([...allRoutes.flatMap(limitsOf), 'apiTokenCalls'])
  expect([...used].toSorted()).toEqual(Object.keys(limits).toSorted())
  for (const route of allRoutes) {
    const declares = declaredReplies(route).some(({ kind }) => kind === 'badRateLimit')
    expect(declares, route.path).toBe(limitsOf(route).length !== 0 || Boolean(route.scope))
  }
})
