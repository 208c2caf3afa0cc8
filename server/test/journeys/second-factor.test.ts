import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../harness.ts'
import { personIn } from '../people.ts'
import { checkResponse } from '../strict.ts'

// No route has a side path around the second factor, with no token of an organiser who lacks it.

let contest: Contest
let team: Member
let person: Member
let confirmed: Member
beforeAll(async () => {
  contest = await startContest({ config: { organisers: { secondFactor: 'all' } } })
  team = await contest.admin()
  person = await personIn(contest, team.id)
  confirmed = await personIn(contest, team.id, { methods: ['passkey'] })
})
afterAll(() => contest[Symbol.asyncDispose]())

const permissioned = allRoutes.filter(({ perms = [] }) => perms.length > 0)

async function kindOf(route: Route, { token }: Member): Promise<string> {
  const params = Object.fromEntries(
    [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'none']),
  )
  const address = addressOf(route, { params })
  const response = await fetch(contest.url + address, {
    method: route.method,
    headers: { authorization: `Bearer ${token}` },
  })
  const body: unknown = await response.json()
  checkResponse(route, response, body)
  return (body as { kind: string }).kind
}

test.each(permissioned.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s needs the second factor',
  async (_name, route) => {
    for (const caller of [team, person]) expect(await kindOf(route, caller)).toBe('badSecondFactor')
  },
)

test('a session with one has all of them', async () => {
  const list = permissioned.find(({ path }) => path === '/api/v2/admin/organisers') as Route
  expect(await kindOf(list, confirmed)).toBe('goodOrganisers')
})
