import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { declaredReplies } from '@pennant/contract/declared.ts'
import { ALL_PERMISSIONS, permissions } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { limits, limitsOf } from '@pennant/contract/limits.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { visibleParts } from '@pennant/contract/visibility.ts'
import { apiTokenOf } from '../api-tokens.ts'
import { putSettings, setBanned } from '../contest-data.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { teamless } from '../people.ts'
import { bodyIn, checkResponse } from '../strict.ts'

// What the request pipeline guarantees, checked for every route. New routes are included automatically.

let contest: Contest
let organiser: Member
let player: Member
let banned: Member
let person: Member

beforeAll(async () => {
  contest = await startContest({ config: { maxRequestBodySize: 1024 * 1024 }, mayUseRedis: true })
  organiser = await contest.admin(ALL_PERMISSIONS)
  player = await contest.team()
  banned = await contest.team()
  person = await teamless(contest)
  await setBanned(contest.db, banned.id, true)
})

afterAll(() => contest[Symbol.asyncDispose]())

interface Ask {
  readonly token?: string
  readonly body?: string | undefined
  readonly id?: string
  readonly query?: Record<string, string>
}

const paramsOf = (route: Route, id: string) =>
  Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', id]))

/** The kind of the response, which must be one that the route declares. */
async function kindOf(
  route: Route,
  { token, body, id = 'x', query = {} }: Ask = {},
  at = contest,
): Promise<string> {
  const params = paramsOf(route, id)
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(at.url + addressOf(route, { params, query }), {
    method: route.method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const result = bodyIn(route, response, await response.text())
  checkResponse(route, response, result)
  if (typeof result !== 'string') return (result as { kind?: string } | undefined)?.kind ?? ''
  return declaredReplies(route).find(({ message }) => message === result)?.kind ?? ''
}

const named = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const mayDeclare = (route: Route, kind: string) => declaredReplies(route).some((reply) => reply.kind === kind)

const required = allRoutes.filter(({ auth }) => auth === 'required')
const permissioned = required.filter(({ perms }) => perms && perms.length > 0)
const gated = allRoutes.filter(({ gate }) => gate)
const withJson = allRoutes.filter(({ body, auth }) => body && auth !== 'service' && auth !== 'signature')

/** A caller who passes every check that precedes the body. */
const passing = ({ auth }: Route) =>
  auth === 'required' ? { token: organiser.token } : auth === 'person' ? { token: person.token } : {}

describe('authentication', () => {
  test.each(named(required))('%s requires a token', async (_name, route) => {
    expect(await kindOf(route)).toBe('badToken')
    expect(await kindOf(route, { token: 'nonsense' })).toBe('badToken')
    const teamToken = contest.app.stores.tokens.issueTeam(player.id)
    expect(await kindOf(route, { token: teamToken })).toBe('badToken')
    const gone = contest.app.stores.tokens.issueAuth('00000000-0000-4000-8000-000000000000')
    expect(await kindOf(route, { token: gone })).toBe('badToken')
  })

  test.each(named(permissioned))('%s requires each of its permissions', async (_name, route) => {
    expect(await kindOf(route, { token: player.token })).toBe('badPerms')
    for (const name of route.perms ?? []) {
      // An owner has fair play without its bit.
      const others = name === 'fairPlay' ? ALL_PERMISSIONS & ~permissions.settingsWrite : ALL_PERMISSIONS
      const almost = await contest.admin(others & ~permissions[name])
      expect(await kindOf(route, { token: almost.token }), `without ${name}`).toBe('badPerms')
    }
  })

  test.each(named(required.filter(({ notBanned }) => notBanned)))(
    '%s refuses a banned team',
    async (_name, route) => {
      expect(await kindOf(route, { token: banned.token })).toBe('badPerms')
    },
  )

  test.each(named(required))('%s refuses a person in no team', async (_name, route) => {
    expect(await kindOf(route, { token: person.token })).toBe('badNoTeam')
  })

  test.each(named(allRoutes.filter(({ auth }) => auth === 'person')))(
    '%s needs the session of a person',
    async (_name, route) => {
      expect(await kindOf(route)).toBe('badToken')
      expect(await kindOf(route, { token: player.token })).toBe('badNoPerson')
    },
  )
})

describe('event times', () => {
  test.each(named(gated))(
    '%s is closed before the start except with its permission',
    async (_name, route) => {
      contest.clock.advance(-2 * HOUR_MS)
      try {
        const before = route.auth === 'required' ? { token: player.token } : {}
        expect(await kindOf(route, before)).toBe('badNotStarted')
        expect(await kindOf(route, { token: organiser.token })).not.toBe('badNotStarted')
        const other = await contest.admin(ALL_PERMISSIONS & ~permissions[route.gate?.started ?? 'challsRead'])
        expect(await kindOf(route, { token: other.token })).toBe('badNotStarted')
      } finally {
        contest.clock.advance(2 * HOUR_MS)
      }
    },
  )

  test.each(named(gated.filter(({ gate }) => gate?.beforeEnd)))(
    '%s is closed after the end',
    async (_name, route) => {
      contest.clock.advance(48 * HOUR_MS)
      try {
        expect(await kindOf(route, { token: player.token })).toBe('badEnded')
        expect(await kindOf(route, { token: organiser.token })).not.toBe('badEnded')
      } finally {
        contest.clock.advance(-48 * HOUR_MS)
      }
    },
  )
})

describe('closed parts', () => {
  beforeAll(() => close('organisers'))
  afterAll(() => close('everyone'))

  const close = (level: 'organisers' | 'everyone') =>
    putSettings(contest.db, {
      visibility: Object.fromEntries(visibleParts.map((part) => [part, level])),
    })
  const showing = allRoutes.filter(({ shows, auth }) => shows?.length && auth !== 'service')

  test.each(named(showing))('%s asks for a token, a team, and then refuses', async (_name, route) => {
    expect(await kindOf(route)).toBe('badToken')
    expect(await kindOf(route, { token: person.token })).toBe('badNoTeam')
    expect(await kindOf(route, { token: player.token })).toBe('badVisibility')
  })
})

test('routes with a scope share the limit of an API token', async () => {
  // Without Redis, whose clock would refill the limit meanwhile.
  await using own = await startContest()
  const { token } = await apiTokenOf(own, (await own.team()).token, ['read', 'submit'])
  const ask = (route: Route) => kindOf(route, { token }, own)
  const scoped = allRoutes.filter((route) => route.scope === 'read' && limitsOf(route).length === 0)
  const [first] = scoped
  if (!first) throw new Error('no route has only this limit')
  for (let at = 0; at < limits.apiTokenCalls.burst; at += 1) expect(await ask(first)).not.toBe('badRateLimit')
  for (const route of scoped) expect(await ask(route), route.path).toBe('badRateLimit')
})

test('the stream needs the scope that reads', async () => {
  const { token } = await apiTokenOf(contest, player.token, ['submit'])
  expect(await kindOf(openStream, { token })).toBe('badScope')
})

describe('input', () => {
  // The limits of one person or team are for one of them, not for a test of every route.
  beforeEach(async () => {
    person = await teamless(contest)
    organiser = await contest.admin(ALL_PERMISSIONS)
  })

  test.each(named(withJson))('%s distinguishes broken JSON from an invalid body', async (_name, route) => {
    expect(await kindOf(route, { ...passing(route), body: '{' })).toBe('badJson')
    expect(await kindOf(route, { ...passing(route), body: '' })).toBe('badJson')
    expect(await kindOf(route, { ...passing(route), body: '[]' })).toBe('badBody')
    const cap = route.bodyCap === 'admin' ? 8 : 1
    const tooLarge = ' '.repeat(cap * 1024 * 1024 + 1)
    expect(await kindOf(route, { ...passing(route), body: tooLarge })).toBe('badBodySize')
  })

  const withId = allRoutes.filter(
    ({ params, body, form, auth }) => params && !body && !form && auth !== 'service',
  )
  test.each(named(withId))('%s validates its ids', async (_name, route) => {
    const token = passing(route)
    const isBounded = !route.params?.safeParse(paramsOf(route, 'x'.repeat(300))).success
    if (isBounded) expect(await kindOf(route, { ...token, id: 'x'.repeat(300) })).toBe('badBody')
    expect(await kindOf(route, { ...token, id: 'a\0b' })).toBe('badBody')
  })

  const paged = allRoutes.filter(
    ({ query, body }) => query && 'limit' in (query as { shape?: object }).shape! && !body,
  )
  test.each(named(paged))('%s validates its page size', async (_name, route) => {
    const token = passing(route)
    for (const limit of ['', '0', '1.5', '-1', 'x', '999999999']) {
      expect(await kindOf(route, { ...token, query: { limit, offset: '0' } }), `limit ${limit}`).toBe(
        'badBody',
      )
    }
    expect(mayDeclare(route, 'badBody')).toBe(true)
  })
})
