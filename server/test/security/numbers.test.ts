import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { getLeaderboardV2, getLeaderboardWithGraph } from '@pennant/contract/leaderboard.ts'
import type { Route } from '@pennant/contract/route.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { botSecret } from '../bot-contest.ts'
import { fullDeployment, type Deployment } from '../fuzz/deployments.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { read } from './crawl.ts'

// Class S9 (README.md): property names of Object.prototype work as ordinary names, and numbers are limited to
// what the database can store.

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

let deployment: Deployment
let contest: Contest
let admin: Member
let player: Member
beforeAll(async () => {
  deployment = await fullDeployment()
  contest = await startContest({ config: deployment.config })
  admin = await contest.admin()
  player = await contest.team()
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await deployment[Symbol.asyncDispose]()
})

describe.each(PROTOTYPE_NAMES)('the name %s', (name) => {
  test('is not a division', async () => {
    const query = { limit: '10', offset: '0', division: name }
    expect(await contest.call(getLeaderboardV2, { query })).toMatchObject({ kind: 'badBody' })
    const patch = { token: player.token, body: { division: name } }
    expect(await contest.call(updateProfileV2, patch)).toMatchObject({ kind: 'badDivisionNotAllowed' })
  })

  test('is not a challenge', async () => {
    const query = { limit: '10', offset: '0', challenge: name }
    expect(await contest.call(getLeaderboardWithGraph, { query })).toMatchObject({ data: { graph: [] } })
  })

  test('is an ordinary id for a challenge, its tags and its settings', async () => {
    const data = { name, tags: [name], flags: [{ config: { flag: name } }] }
    const put = { token: admin.token, params: { id: name }, body: { data } }
    expect(await contest.call(putChallengeV2, put)).toMatchObject({ data: { id: name, name, tags: [name] } })
    expect(contest.world().challenge(name)?.name).toBe(name)
    const query = { limit: '10', offset: '0', challenge: name }
    expect(await contest.call(getLeaderboardWithGraph, { query })).toMatchObject({
      kind: 'goodLeaderboardWithGraph',
    })
  })

  test('is not a provider', async () => {
    const data = { flags: [{ provider: name, config: {} }] }
    const put = { token: admin.token, params: { id: 'x' }, body: { data } }
    expect(await contest.call(putChallengeV2, put)).toMatchObject({ kind: 'badBody' })
  })
})

const NO_NUMBERS = [
  '',
  ' ',
  'x',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e309',
  '1.5',
  '-1',
  '9007199254740993',
  '1_0',
  '1,0',
  '１',
  '0x',
  '--1',
  '1n',
  'null',
  '[]',
  'true',
]

type Field = 'limit' | 'offset'
const shapeOf = ({ query }: Route) => (query as { shape?: object } | undefined)?.shape ?? {}
const paged = allRoutes
  .filter((route) => route.method === 'GET')
  .flatMap((route) =>
    (['limit', 'offset'] as const)
      .filter((field) => field in shapeOf(route))
      .map((field) => [field, route.path, route] as const),
  )

describe('a page', () => {
  const ask = (route: Route, field: Field, value: string) => {
    const others = Object.keys(shapeOf(route)).filter(
      (name) => ['limit', 'offset'].includes(name) && name !== field,
    )
    const times = { time: `time=${FIRST_INSTANT}`, from: `from=${FIRST_INSTANT}&until=${FIRST_INSTANT + 1}` }
    const needed = Object.entries(times).flatMap(([name, given]) => (name in shapeOf(route) ? [given] : []))
    const query = [
      ...others.map((name) => `${name}=1`),
      ...needed,
      `${field}=${encodeURIComponent(value)}`,
    ].join('&')
    const token = route.auth === 'service' ? botSecret : admin.token
    return read(contest, route, { address: `${route.path.replace(/:\w+/g, 'x')}?${query}`, token })
  }

  test.each(paged)('rejects as %s anything but a valid integer at %s', async (field, _path, route) => {
    for (const value of [...NO_NUMBERS, ...(field === 'limit' ? ['0', '-0', '2147483648'] : ['1e300'])]) {
      const { text } = await ask(route, field, value)
      expect(JSON.parse(text), value).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(`^query:${field}: `) },
      })
    }
  })

  test.each(paged.filter(([field]) => field === 'offset'))(
    'accepts as %s any integer up to its maximum at %s',
    async (field, _path, route) => {
      for (const value of ['0', '-0', '2147483648', '4294967296', '1e2', '+1', '01']) {
        expect((await ask(route, field, value)).status, value).not.toBe(400)
      }
    },
  )
})

describe('a stored number', () => {
  const put = async (data: object) =>
    (await contest.call(putChallengeV2, { token: admin.token, params: { id: 'numbers' }, body: { data } }))
      .kind
  const settings = async (body: object) =>
    (await contest.call(updateSettings, { token: admin.token, body: body as never })).kind

  test('of points is limited to 32 bits', async () => {
    for (const points of [
      { min: -2147483648, max: 2147483647 },
      { min: 0, max: -0 },
    ]) {
      expect(await put({ points })).toBe('goodChallengeUpdateV2')
    }
    for (const max of [2147483648, 1e300, 0.5, '1', null]) {
      expect(await put({ points: { min: 0, max } }), String(max)).toBe('badBody')
    }
    expect(await put({ points: { min: -2147483649, max: 0 } })).toBe('badBody')
  })

  test('of a release is a valid time', async () => {
    for (const releaseTime of [FIRST_INSTANT, 8_640_000_000_000_000, null]) {
      expect(await put({ releaseTime }), String(releaseTime)).toBe('goodChallengeUpdateV2')
    }
    for (const releaseTime of [
      -1,
      0,
      FIRST_INSTANT - 1,
      8_640_000_000_000_001,
      Number.MAX_SAFE_INTEGER,
      1e300,
      0.5,
    ]) {
      expect(await put({ releaseTime }), String(releaseTime)).toBe('badBody')
    }
  })

  test('of a weight may be any JSON number', async () => {
    for (const sortWeight of [1.7e308, -1.7e308, 5e-324, -0]) {
      expect(await put({ sortWeight }), String(sortWeight)).toBe('goodChallengeUpdateV2')
    }
  })

  test('of settings is a valid time, and never infinite', async () => {
    for (const startTime of [1e300, -1e300, 8_640_000_000_000_001]) {
      expect(await settings({ startTime }), String(startTime)).toBe('badBody')
    }
    for (const body of ['{"startTime":1e309}', '{"endTime":-1e309}', '{"startTime":"1"}']) {
      const response = await fetch(`${contest.url}${updateSettings.path}`, {
        method: updateSettings.method,
        headers: { authorization: `Bearer ${admin.token}` },
        body,
      })
      expect(await response.json(), body).toMatchObject({ kind: 'badBody' })
    }
  })
})

test('no prototype was modified', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { perms?: unknown }).perms).toBeUndefined()
})
