import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import {
  getGraphV1,
  getGraphV2,
  getLeaderboardChallenges,
  getLeaderboardV1,
  getLeaderboardV2,
  getLeaderboardWithGraph,
} from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { putChallenge, putSolve, setBanned } from '../../../test/contest-data.ts'
import { challengeRow, minute, solveRow } from '../../../test/contest-rows.ts'
import { hour, noon, startContest, type Contest, type Member } from '../../../test/harness.ts'

let contest: Contest
let teams: Member[]
const page = { limit: '10', offset: '0' }

beforeAll(async () => {
  contest = await startContest({ config: { divisions: { open: 'Open', school: 'School' } } })
  teams = []
  for (const name of ['Ants', 'Bees', 'Antlers']) teams.push(await contest.team(name))
  await contest.team('Nobody')
  await putChallenge(contest.db, challengeRow('web', { sortWeight: 1 }))
  await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
  for (const [index, { id }] of teams.entries()) {
    const at = { createdAt: noon + index * minute }
    await putSolve(contest.db, solveRow(index + 1, { challengeId: 'web', teamId: id, ...at }))
  }
})
afterAll(() => contest[Symbol.asyncDispose]())

async function raw(path: string, init: RequestInit = {}) {
  const response = await fetch(contest.url + path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The routes that take a division, each with the least query it needs. */
const divided = [
  [getLeaderboardV1, page],
  [getLeaderboardV2, page],
  [getLeaderboardWithGraph, page],
  [getGraphV1, { limit: '10' }],
  [getGraphV2, page],
] as const

describe('the standings', () => {
  test('are the same bytes for everybody, and move when a team is banned', async () => {
    const path = '/api/v2/leaderboard/now?limit=10&offset=0'
    const anonymous = await raw(path)
    const authorization = `Bearer ${teams[0]?.token}`
    expect((await raw(path, { headers: { authorization } })).text).toBe(anonymous.text)
    await setBanned(contest.db, teams[0]?.id ?? '', true)
    const banned = await contest.call(getLeaderboardV2, { query: page })
    expect(banned.data).toMatchObject({
      total: 2,
      leaderboard: [{ name: 'Bees', globalPlace: 1 }, { name: 'Antlers' }],
    })
    await setBanned(contest.db, teams[0]?.id ?? '', false)
    expect((await raw(path)).text).toBe(anonymous.text)
    expect((await raw(path)).headers.get('etag')).toBe(anonymous.headers.get('etag'))
  })

  test('answer pages, searches, graphs and the overview of challenges', async () => {
    const v1 = await contest.call(getLeaderboardV1, { query: { limit: '1', offset: '1' } })
    expect(v1.data).toMatchObject({ total: 3, leaderboard: [{ id: teams[1]?.id, name: 'Bees' }] })
    const found = await contest.call(getLeaderboardV2, { query: { ...page, search: 'ANT' } })
    expect(found.data).toMatchObject({ total: 2, leaderboard: [{ name: 'Ants' }, { name: 'Antlers' }] })
    const both = await contest.call(getLeaderboardWithGraph, { query: { ...page, challenge: 'web' } })
    expect(both.data).toMatchObject({
      total: 3,
      graph: [{ name: 'Ants' }, { name: 'Bees' }, { name: 'Antlers' }],
    })
    const none = await contest.call(getLeaderboardWithGraph, { query: { ...page, challenge: 'hidden' } })
    expect(none.data).toEqual({ total: 0, leaderboard: [], graph: [] })
    const graph = await contest.call(getGraphV1, { query: { limit: '1' } })
    expect(graph.data).toMatchObject({ graph: [{ id: teams[0]?.id }] })
    expect((await contest.call(getGraphV2, { query: { limit: '1', offset: '2' } })).data).toMatchObject({
      graph: [{ id: teams[2]?.id }],
    })
    const overview = await contest.call(getLeaderboardChallenges, {})
    expect(overview.data).toEqual({
      challenges: {
        web: {
          name: 'Challenge web',
          category: 'misc',
          solves: 3,
          points: expect.any(Number) as number,
          sortWeight: 1,
          scoringKind: 'decay',
          firstSolvers: teams.map(({ id }) => ({ id })),
        },
      },
    })
  })

  test('know configured divisions only; an empty one is none', async () => {
    for (const [route, query] of divided) {
      for (const division of ['nowhere', '__proto__', 'constructor', 'Open']) {
        const { data } = await contest.call(route, { query: { ...query, division } })
        expect(data).toMatchObject({ reason: expect.stringMatching(/^query:division: /) as string })
      }
      const empty = await contest.call(route, { query: { ...query, division: 'school' } })
      expect(JSON.stringify(empty.data)).not.toContain('Ants')
      const all = await contest.call(route, { query: { ...query, division: '' } })
      expect(JSON.stringify(all.data)).toContain('Ants')
    }
  })

  test('check the maxima before the division', async () => {
    const reason = async (route: (typeof divided)[number][0], query: Record<string, string>) => {
      const { data } = await contest.call(route, { query: { ...page, division: 'nowhere', ...query } })
      return (data as { reason: string }).reason.split(' ')[0]
    }
    expect(await reason(getLeaderboardV1, { limit: '101' })).toBe('query:limit:')
    expect(await reason(getLeaderboardV2, { offset: '4294967297' })).toBe('query:offset:')
    expect(await reason(getLeaderboardWithGraph, { limit: '101' })).toBe('query:limit:')
    expect(await reason(getGraphV1, { limit: '11' })).toBe('query:limit:')
    expect(await reason(getGraphV2, { limit: '11' })).toBe('query:limit:')
    expect(await reason(getLeaderboardV2, { search: 'x' })).toBe('query:search:')
    expect(await reason(getLeaderboardV2, { search: 'x'.repeat(101) })).toBe('query:search:')
    expect(await reason(getLeaderboardWithGraph, { challenge: '' })).toBe('query:challenge:')
    expect(await reason(getGraphV1, {})).toBe('query:division:')
  })

  test('let an address search three times, counting valid requests alone', async () => {
    contest.clock.advance(hour)
    const search = (query: Record<string, string>) =>
      contest.call(getLeaderboardV2, { query: { ...page, search: 'ant', ...query } })
    for (let time = 0; time < 5; time++) expect((await search({ division: 'nowhere' })).kind).toBe('badBody')
    for (let time = 0; time < 5; time++) expect((await search({ search: 'x' })).kind).toBe('badBody')
    for (let time = 0; time < 3; time++) expect((await search({})).kind).toBe('goodLeaderboard')
    const refused = await search({})
    expect([refused.kind, refused.status, refused.data]).toEqual(['badRateLimit', 429, { timeLeft: 1000 }])
    const graph = await contest.call(getLeaderboardWithGraph, { query: { ...page, search: 'ant' } })
    expect(graph.kind).toBe('badRateLimit')
    expect((await contest.call(getLeaderboardV2, { query: page })).kind).toBe('goodLeaderboard')
    contest.clock.advance(1000)
    expect((await search({})).kind).toBe('goodLeaderboard')
    expect((await search({})).kind).toBe('badRateLimit')
  })

  test('answer HEAD with the headers of GET', async () => {
    const path = '/api/v2/leaderboard/with-graph?limit=10&offset=0'
    const get = await raw(path)
    const head = await raw(path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })
})

describe('before the start', () => {
  test('standings are for leaderboardRead, the overview of challenges for challsRead', async () => {
    const startTime = noon + 24 * hour
    const early = await startContest({ config: { startTime, endTime: startTime + hour } })
    const board = (await early.admin(permissions.leaderboardRead)).token
    const challs = (await early.admin(permissions.challsRead)).token
    for (const [route, query] of divided) {
      // The gate comes before the query.
      const wrong = { query: { ...query, limit: '0' } }
      expect((await early.call(route, wrong)).kind).toBe('badNotStarted')
      expect((await early.call(route, { ...wrong, token: challs })).kind).toBe('badNotStarted')
      expect((await early.call(route, { ...wrong, token: board })).kind).toBe('badBody')
      expect((await early.call(route, { query, token: board })).status).toBe(200)
    }
    expect((await early.call(getLeaderboardChallenges, { token: board })).kind).toBe('badNotStarted')
    expect((await early.call(getLeaderboardChallenges, { token: challs })).status).toBe(200)
    // The export has no gate.
    expect((await early.call(getExtrankLeaderboard, { token: board })).data).toEqual({ standings: [] })
    await early[Symbol.asyncDispose]()
  })
})

describe('the export for the ranking site', () => {
  test('has every ranked team in order, without an envelope', async () => {
    const { token } = await contest.admin(permissions.leaderboardRead)
    const { data } = await contest.call(getExtrankLeaderboard, { token })
    const score = expect.any(Number) as number
    expect(data).toEqual({
      standings: [
        { pos: 1, team: 'Ants', score },
        { pos: 2, team: 'Bees', score },
        { pos: 3, team: 'Antlers', score },
      ],
    })
  })

  test('is for holders of leaderboardRead', async () => {
    expect((await contest.call(getExtrankLeaderboard, {})).kind).toBe('badToken')
    const { token } = await contest.admin(permissions.challsRead)
    expect((await contest.call(getExtrankLeaderboard, { token })).kind).toBe('badPerms')
  })
})
