import { describe, expect, test } from 'vitest'
import * as contract from '@pennant/contract/leaderboard.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  challengeRow,
  end,
  feedRow,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../../test/contest-rows.ts'
import type { Prepared } from '../../../http/response/prepared.ts'
import type { WorldRows } from '../../../world/model.ts'
import { createWorld, fold } from '../../../world/fold/world.ts'
import { createBoardPages, prepareBoardChallenges } from './pages.ts'
import { createTrends } from './trends.ts'

const rows: Partial<WorldRows> = {
  teams: [
    teamRow('a', {
      name: 'Ants "quoted"',
      statusText: 'hi ✓',
      countryCode: 'DE',
      avatarUrl: '/uploads/a.webp',
    }),
    teamRow('b', { name: 'Bees', division: 'school' }),
    teamRow('c', { name: 'Antlers' }),
    teamRow('idle'),
    teamRow('banned', { banned: true }),
  ],
  challenges: [
    challengeRow('web "1"', { sortWeight: 1 }),
    challengeRow('live', { scoringKind: 'dynamic', flags: [] }),
    challengeRow('hidden', { hidden: true }),
    challengeRow('static', { scoringKind: 'static', category: 'web' }),
  ],
  solves: [
    solveRow(1, { challengeId: 'web "1"', teamId: 'banned' }),
    solveRow(2, { challengeId: 'web "1"', teamId: 'b' }),
    solveRow(3, { challengeId: 'static', teamId: 'a' }),
    solveRow(4, { challengeId: 'web "1"', teamId: 'a' }),
    solveRow(5, { challengeId: 'hidden', teamId: 'a' }),
    solveRow(6, { challengeId: 'web "1"', teamId: 'c' }),
  ],
  feed: [
    feedRow('live', 'a', { points: 7, delta: 2, tickAt: start }),
    feedRow('live', 'b', { points: 5, delta: -4 }),
  ],
  feedEvents: [
    { id: 1, challengeId: 'live', teamId: 'a', delta: 7, at: start },
    { id: 2, challengeId: 'live', teamId: 'b', delta: 5, at: start + MINUTE_MS },
  ],
}
const world = createWorld(rules, worldRows(rows), start + 60 * MINUTE_MS)
const now = () => start + 90 * MINUTE_MS
const pages = createBoardPages(5 * MINUTE_MS, createTrends(now, 5 * MINUTE_MS))
const all = { limit: 100, offset: 0 }

function data<T>({ body }: Prepared, shape: { readonly data: { parse(value: unknown): T } }): T {
  const envelope = JSON.parse(body.toString()) as { data: unknown }
  const parsed = shape.data.parse(envelope.data)
  // Contains no fields beyond the contract.
  expect(parsed).toEqual(envelope.data)
  return parsed
}

describe('a page of the standings', () => {
  test('of V2 has every field of each ranked team, by rank', () => {
    const { total, leaderboard } = data(pages.pageV2(world, all), contract.goodLeaderboardV2)
    expect(total).toBe(3)
    expect(leaderboard[0]).toStrictEqual({
      id: 'a',
      name: 'Ants "quoted"',
      score: 500 + 497 + 7,
      avatarUrl: '/uploads/a.webp',
      countryCode: 'DE',
      statusText: 'hi ✓',
      solves: [
        { id: 'static', solveTime: start + 3 * MINUTE_MS },
        { id: 'web "1"', solveTime: start + 4 * MINUTE_MS },
      ],
      dynamicScores: [{ id: 'live', points: 7, pointDelta: 0 }],
      division: 'open',
      divisionPlace: 1,
      globalPlace: 1,
    })
    expect(leaderboard[1]).toStrictEqual({
      id: 'b',
      name: 'Bees',
      score: 497 + 5,
      avatarUrl: null,
      countryCode: null,
      statusText: null,
      solves: [{ id: 'web "1"', solveTime: start + 2 * MINUTE_MS }],
      dynamicScores: [{ id: 'live', points: 5, pointDelta: -4 }],
      division: 'school',
      divisionPlace: 1,
      globalPlace: 2,
    })
  })

  test('of V1 has id, name and score', () => {
    expect(data(pages.pageV1(world, all), contract.goodLeaderboardV1)).toStrictEqual({
      total: 3,
      leaderboard: [
        { id: 'a', name: 'Ants "quoted"', score: 1004 },
        { id: 'b', name: 'Bees', score: 502 },
        { id: 'c', name: 'Antlers', score: 497 },
      ],
    })
  })

  test('keeps the global ranks with a division, an offset or a search', () => {
    const places = (query: object) => {
      const page = data(pages.pageV2(world, { ...all, ...query }), contract.goodLeaderboardV2)
      return [
        page.total,
        ...page.leaderboard.map((row) => `${row.id}${row.globalPlace}/${row.divisionPlace}`),
      ]
    }
    expect(places({ division: 'open' })).toEqual([2, 'a1/1', 'c3/2'])
    expect(places({ division: 'open', offset: 1 })).toEqual([2, 'c3/2'])
    expect(places({ division: 'empty' })).toEqual([0])
    expect(places({ offset: 4_294_967_296 })).toEqual([3])
    expect(places({ search: 'ANT' })).toEqual([2, 'a1/1', 'c3/2'])
    expect(places({ search: 'ant', offset: 1, limit: 1 })).toEqual([2, 'c3/2'])
    expect(places({ search: 'ant', division: 'school' })).toEqual([0])
    expect(places({ search: 'banned' })).toEqual([0])
  })

  test('has the same rows with trends', () => {
    const plain = data(pages.pageV2(world, all), contract.goodLeaderboardV2)
    const page = data(pages.pageWithTrends(world, all), contract.goodLeaderboardV2)
    expect(page.leaderboard).toEqual(
      plain.leaderboard.map((row) => ({ ...row, trend: expect.any(Object) as object })),
    )
    expect(page.leaderboard.map(({ trend }) => trend?.scores.at(-1))).toEqual([1004, 502, 497])
    expect(plain.leaderboard.every((row) => !('trend' in row))).toBe(true)
  })

  test('is rebuilt only when its data changes', () => {
    const own = createBoardPages(MINUTE_MS, createTrends(now, MINUTE_MS))
    let other = createWorld(rules, worldRows(rows), start + 60 * MINUTE_MS)
    const before = own.pageV2(other, all)
    expect(own.pageV2(other, all).body).toEqual(before.body)
    const show = challengeRow('hidden', { version: 2 })
    other = fold(other, { kind: 'challenges', rows: [show], removed: [] })
    const shown = data(own.pageV2(other, all), contract.goodLeaderboardV2)
    expect(shown.leaderboard[0]?.solves.map(({ id }) => id)).toEqual(['static', 'web "1"', 'hidden'])
    other = fold(other, { kind: 'teams', rows: [teamRow('b', { name: 'Wasps' })], removed: [] })
    const renamed = data(own.pageV2(other, all), contract.goodLeaderboardV2)
    expect(renamed.leaderboard.map(({ name, division }) => [name, division])).toContainEqual([
      'Wasps',
      'open',
    ])
    const solve = solveRow(9, { challengeId: 'static', teamId: 'c' })
    other = fold(other, { kind: 'solves', rows: [solve], removed: [] })
    const solved = data(own.pageV2(other, all), contract.goodLeaderboardV2)
    expect(solved.leaderboard.find(({ id }) => id === 'c')?.solves).toHaveLength(2)
    expect(own.pageV2(other, all).etag).not.toBe(before.etag)
  })
})

describe('the graph', () => {
  test('has the same teams as the page', () => {
    const page = data(pages.pageWithGraph(world, all), contract.goodLeaderboardWithGraph)
    expect(page.graph.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'Ants "quoted"'],
      ['b', 'Bees'],
      ['c', 'Antlers'],
    ])
    expect(page.leaderboard).toEqual(data(pages.pageV2(world, all), contract.goodLeaderboardV2).leaderboard)
    expect(data(pages.graphV2(world, all), contract.goodGraphV2).graph).toEqual(page.graph)
    const second = pages.graphV2(world, { limit: 1, offset: 1, division: 'open' })
    expect(data(second, contract.goodGraphV2).graph.map(({ id }) => id)).toEqual(['c'])
  })

  test('ends with the current score, newest first', () => {
    const [line] = data(pages.graphV2(world, all), contract.goodGraphV2).graph
    expect(line?.points[0]?.score).toBe(1004)
    expect(line?.dynamicPoints[0]?.score).toBe(7)
    const times = line?.points.map(({ time }) => time) ?? []
    expect(times).toEqual([...times].sort((a, b) => b - a))
  })

  test('of one challenge has the teams that solved or scored it', () => {
    const teams = (challenge: string) => {
      const page = pages.pageWithGraph(world, { ...all, challenge })
      const { total, leaderboard } = data(page, contract.goodLeaderboardWithGraph)
      return [total, ...leaderboard.map(({ id }) => id)]
    }
    expect(teams('web "1"')).toEqual([3, 'a', 'b', 'c'])
    expect(teams('live')).toEqual([2, 'a', 'b'])
    expect(teams('static')).toEqual([1, 'a'])
    expect([teams('hidden'), teams('unknown')]).toEqual([[0], [0]])
  })

  test('is empty if no team is ranked', () => {
    const empty = createWorld(rules, worldRows({ teams: [teamRow('a')] }), end)
    expect(data(pages.pageWithGraph(empty, all), contract.goodLeaderboardWithGraph)).toEqual({
      total: 0,
      leaderboard: [],
      graph: [],
    })
  })
})

describe('the overview of challenges', () => {
  test('has each public one with its first solvers, without banned teams', () => {
    const { challenges } = data(prepareBoardChallenges(world), contract.goodLeaderboardChallenges)
    expect(challenges).toStrictEqual({
      'web "1"': {
        name: 'Challenge web "1"',
        category: 'misc',
        solves: 3,
        points: 497,
        sortWeight: 1,
        scoringKind: 'decay',
        firstSolvers: [{ id: 'b' }, { id: 'a' }, { id: 'c' }],
      },
      live: {
        name: 'Challenge live',
        category: 'misc',
        solves: 2,
        points: 0,
        sortWeight: null,
        scoringKind: 'dynamic',
        firstSolvers: [],
      },
      static: {
        name: 'Challenge static',
        category: 'web',
        solves: 1,
        points: 500,
        sortWeight: null,
        scoringKind: 'decay',
        firstSolvers: [{ id: 'a' }],
      },
    })
  })

  test('includes a challenge with any id', () => {
    const odd = createWorld(rules, worldRows({ challenges: [challengeRow('__proto__')] }), start)
    expect(prepareBoardChallenges(odd).body.toString()).toContain('"__proto__":{"name":')
  })
})
