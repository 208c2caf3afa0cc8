import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import {
  getGraphV1,
  getGraphV2,
  getLatestSolves,
  getLeaderboardChallenges,
  getLeaderboardV1,
  getLeaderboardV2,
  getLeaderboardWithGraph,
  TREND_SCORES,
} from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { putChallenge, putSolve, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

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
    const at = { createdAt: noon + index * MINUTE_MS }
    await putSolve(contest.db, solveRow(index + 1, { challengeId: 'web', teamId: id, ...at }))
  }
})
afterAll(() => contest[Symbol.asyncDispose]())

async function raw(path: string, init: RequestInit = {}) {
  const response = await fetch(contest.url + path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The routes with a division parameter, each with its required query. */
const divided = [
  [getLeaderboardV1, page],
  [getLeaderboardV2, page],
  [getLeaderboardV2, { ...page, with: 'trend' }],
  [getLeaderboardWithGraph, page],
  [getGraphV1, { limit: '10' }],
  [getGraphV2, page],
] as const

describe('the standings', () => {
  test('have the same bytes for all callers, and change when a team is banned', async () => {
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

  test('return pages, searches, graphs and the overview of challenges', async () => {
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

  test('accept configured divisions only; an empty one means none', async () => {
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

  test('check the maximums before the division', async () => {
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

  test('allow an address three searches, counting only valid requests', async () => {
    contest.clock.advance(HOUR_MS)
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

  test('respond to HEAD with the headers of GET', async () => {
    const path = '/api/v2/leaderboard/with-graph?limit=10&offset=0'
    const get = await raw(path)
    const head = await raw(path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })
})

describe('the trend of a row', () => {
  test('is returned to those who ask for it, with the ranks gained in the last hour', async () => {
    const own = await startContest({ config: { divisions: { open: 'Open', school: 'School' } } })
    const members = [await own.team('Ants'), await own.team('Bees')]
    await putChallenge(own.db, challengeRow('web'))
    await putChallenge(own.db, challengeRow('rope'))
    const solve = (id: number, challengeId: string, { by, hours }: { by: number; hours: number }) => {
      const createdAt = noon + hours * HOUR_MS
      const teamId = members[by]?.id ?? ''
      return putSolve(own.db, solveRow(id, { challengeId, teamId, createdAt }))
    }
    await solve(1, 'web', { by: 0, hours: -3 })
    await solve(2, 'web', { by: 1, hours: -2 })
    await solve(3, 'rope', { by: 1, hours: -0.25 })
    const read = (query: Record<string, string>) =>
      own.call(getLeaderboardV2, { query: { ...page, ...query } })
    const { data } = await read({ with: 'trend' })
    const [bees, ants] = (data as { leaderboard: { score: number; trend: { scores: number[] } }[] })
      .leaderboard
    expect(bees).toMatchObject({ name: 'Bees', trend: { globalPlaceChange: 1, divisionPlaceChange: 1 } })
    expect(ants).toMatchObject({ name: 'Ants', trend: { globalPlaceChange: -1, divisionPlaceChange: -1 } })
    expect(bees?.trend.scores.at(-1)).toBe(bees?.score)
    expect(bees?.trend.scores.length).toBeLessThanOrEqual(TREND_SCORES)
    expect(JSON.stringify((await read({})).data)).not.toContain('trend')
    expect((await read({ with: 'trend', division: 'school' })).data).toEqual({ total: 0, leaderboard: [] })
    expect((await read({ with: 'trend', limit: '101' })).kind).toBe('badBody')
    expect((await read({ with: 'graph' })).kind).toBe('badBody')
    // The movement ages with the clock alone: no one solved anything in the next hour.
    own.clock.advance(2 * HOUR_MS)
    expect((await read({ with: 'trend' })).data).toMatchObject({
      leaderboard: [{ trend: { globalPlaceChange: 0 } }, { trend: { globalPlaceChange: 0 } }],
    })
    await own[Symbol.asyncDispose]()
  })
})

test('the graph of a short event has more points when they are asked for', async () => {
  const times = { startTime: noon - HOUR_MS, endTime: noon }
  await using short = await startContest({ config: times })
  const crew = await short.team('Crew')
  for (const [at, id] of ['lamp', 'rope', 'sail'].entries()) {
    await putChallenge(short.db, challengeRow(id))
    const createdAt = times.startTime + (10 * at + 1) * 15_000
    await putSolve(short.db, solveRow(at + 1, { challengeId: id, teamId: crew.id, createdAt }))
  }
  const timesOf = async (query: { sample?: 'fine' }) => {
    const { data } = await short.call(getGraphV2, { query: { limit: '10', offset: '0', ...query } })
    const [line] = (data as { graph: { points: { time: number }[] }[] }).graph
    return line?.points.map(({ time }) => (time - times.startTime) / 1000)
  }
  // Newest first; the line ends at the latest solve.
  expect(await timesOf({})).toEqual([600, 315, 300])
  expect(await timesOf({ sample: 'fine' })).toEqual([315, 165, 15])
})

describe('the latest solves', () => {
  test('are those of public challenges by teams that are not banned, newest first, at most 20', async () => {
    const crowd = await startContest()
    const solvers: Member[] = []
    for (let at = 0; at < 23; at++) solvers.push(await crowd.team(`Crew ${at}`))
    await putChallenge(crowd.db, challengeRow('lamp'))
    await putChallenge(crowd.db, challengeRow('rope'))
    await putChallenge(crowd.db, challengeRow('secret', { hidden: true }))
    const solve = (id: number, challengeId: string, { by, minutes }: { by: number; minutes: number }) => {
      const createdAt = noon + minutes * MINUTE_MS
      return putSolve(crowd.db, solveRow(id, { challengeId, teamId: solvers[by]?.id ?? '', createdAt }))
    }
    for (let at = 0; at < 22; at++) await solve(at + 1, 'lamp', { by: at, minutes: at })
    await solve(40, 'rope', { by: 22, minutes: 50 })
    await solve(41, 'rope', { by: 0, minutes: 51 })
    await solve(42, 'secret', { by: 0, minutes: 60 })
    type Row = { userName: string; challengeId: string; bloodIndex: number | null }
    const readBoth = async () => {
      const { data } = await crowd.call(getLatestSolves, {})
      return data as { solves: Row[]; firstBloods: Row[] }
    }
    const read = async () => (await readBoth()).solves
    const before = await read()
    expect(before).toHaveLength(20)
    expect(before.slice(0, 4)).toEqual([
      expect.objectContaining({ userName: 'Crew 0', challengeId: 'rope', bloodIndex: 1 }),
      {
        id: expect.any(String) as string,
        challengeId: 'rope',
        challengeName: 'Challenge rope',
        category: 'misc',
        userId: solvers[22]?.id,
        userName: 'Crew 22',
        userAvatarUrl: null,
        createdAt: noon + 50 * MINUTE_MS,
        bloodIndex: 0,
      },
      expect.objectContaining({ userName: 'Crew 21', challengeId: 'lamp', bloodIndex: null }),
      expect.objectContaining({ userName: 'Crew 20', challengeId: 'lamp' }),
    ])
    expect(before.at(-1)).toMatchObject({ userName: 'Crew 4', bloodIndex: null })
    // Also one that is not among the latest solves.
    expect((await readBoth()).firstBloods).toMatchObject([
      { userName: 'Crew 22', challengeId: 'rope', bloodIndex: 0 },
      { userName: 'Crew 0', challengeId: 'lamp', bloodIndex: 0 },
    ])
    // Without the banned team, the next one is first, and one older solve moves up.
    await setBanned(crowd.db, solvers[22]?.id ?? '', true)
    const after = await read()
    expect(after[0]).toMatchObject({ userName: 'Crew 0', challengeId: 'rope', bloodIndex: 0 })
    expect(after.map(({ userName }) => userName)).not.toContain('Crew 22')
    expect(after.at(-1)).toMatchObject({ userName: 'Crew 3', bloodIndex: null })
    expect((await readBoth()).firstBloods[0]).toMatchObject({ userName: 'Crew 0', challengeId: 'rope' })
    await crowd[Symbol.asyncDispose]()
  })
})

describe('before the start', () => {
  test('standings require leaderboardRead, the overview of challenges and the latest solves challsRead', async () => {
    const startTime = noon + 24 * HOUR_MS
    const early = await startContest({ config: { startTime, endTime: startTime + HOUR_MS } })
    const board = (await early.admin(permissions.leaderboardRead)).token
    const challs = (await early.admin(permissions.challsRead)).token
    for (const [route, query] of divided) {
      // The gate is checked before the query.
      const wrong = { query: { ...query, limit: '0' } }
      expect((await early.call(route, wrong)).kind).toBe('badNotStarted')
      expect((await early.call(route, { ...wrong, token: challs })).kind).toBe('badNotStarted')
      expect((await early.call(route, { ...wrong, token: board })).kind).toBe('badBody')
      expect((await early.call(route, { query, token: board })).status).toBe(200)
    }
    expect((await early.call(getLeaderboardChallenges, { token: board })).kind).toBe('badNotStarted')
    expect((await early.call(getLeaderboardChallenges, { token: challs })).status).toBe(200)
    expect((await early.call(getLatestSolves, {})).kind).toBe('badNotStarted')
    expect((await early.call(getLatestSolves, { token: board })).kind).toBe('badNotStarted')
    expect((await early.call(getLatestSolves, { token: challs })).data).toEqual({
      solves: [],
      firstBloods: [],
    })
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

  test('requires leaderboardRead', async () => {
    expect((await contest.call(getExtrankLeaderboard, {})).kind).toBe('badToken')
    const { token } = await contest.admin(permissions.challsRead)
    expect((await contest.call(getExtrankLeaderboard, { token })).kind).toBe('badPerms')
  })
})
