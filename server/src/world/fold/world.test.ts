import { expect, test } from 'vitest'
import {
  challengeRow,
  feedEvent,
  feedRow,
  solveId,
  solveRow,
  teamRow,
  worldRows,
} from '../../../test/world-rows.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { SolveColumns } from '../bulk-columns.ts'
import type { WorldRules, WorldView } from '../model.ts'
import { createWorld, fold } from './world.ts'

/** 500, 481, 458, … with the default formula. */
const classic: ScoreFormula = {
  needs: { maxSolves: false, firstSolve: false },
  value({ min, max, solves }) {
    return Math.round(min + (max - min) / (1 + (Math.max(solves - 1, 0) / 11.92201) ** 1.206069))
  },
}
const rules: WorldRules = { score: classic, startTime: 0, endTime: 100 }
const minutes = (at: number) => ({ createdAt: at })

function example() {
  return worldRows({
    teams: ['t1', 't2', 't3', 't4'].map((id) => teamRow(id, { division: id < 't3' ? 'open' : 'school' })),
    challenges: [challengeRow('A'), challengeRow('B'), challengeRow('C', { tiebreakEligible: false })],
    solves: [
      solveRow('A', 't3', minutes(30)),
      solveRow('B', 't3', minutes(40)),
      solveRow('A', 't1', minutes(10)),
      solveRow('C', 't1', minutes(50)),
      solveRow('B', 't2', minutes(12)),
      solveRow('C', 't2', minutes(20)),
      solveRow('C', 't4', minutes(60)),
    ],
  })
}

const all = { offset: 0, limit: 1000 }
const board = (world: WorldView) => world.ranked(all).map((id) => [id, world.standing(id).score])

test('the worked example: ties are broken by the last tie-break solve, not by the last solve', () => {
  const world = createWorld(rules, example(), 0)
  expect(board(world)).toEqual([
    ['t3', 962],
    ['t1', 939],
    ['t2', 939],
    ['t4', 458],
  ])
  expect(world.standing('t2')).toEqual({ score: 939, globalRank: 3, divisionRank: 2 })
  expect(world.standing('t4')).toEqual({ score: 458, globalRank: 4, divisionRank: 2 })
  expect(world.challenges().map(({ id, points, solveCount }) => [id, points, solveCount])).toEqual([
    ['C', 458, 3],
    ['B', 481, 2],
    ['A', 481, 2],
  ])
})

test('a solve reprices all solvers and moves the team', () => {
  const world = createWorld(rules, example(), 0)
  fold(world, { kind: 'solves', rows: [solveRow('A', 't4', minutes(70))], removed: [] })
  expect(board(world)).toEqual([
    ['t2', 939],
    ['t3', 939],
    ['t1', 916],
    ['t4', 916],
  ])
})

test('known rows change nothing, including versions', () => {
  const rows = {
    ...example(),
    challenges: [...example().challenges, challengeRow('D', { scoringKind: 'dynamic' })],
  }
  const feed = [feedRow('D', 't1')]
  const feedEvents = [feedEvent('D', 't1')]
  const world = createWorld(rules, { ...rows, feed, feedEvents }, 5)
  const before = [world.versions, world.teamVersion('t1'), world.challenge('A')]
  fold(world, { kind: 'teams', rows: structuredClone(rows.teams), removed: ['nobody'] })
  fold(world, { kind: 'challenges', rows: structuredClone(rows.challenges), removed: ['nothing'] })
  fold(world, { kind: 'solves', rows: rows.solves, removed: [{ challengeId: 'B', teamId: 't1' }] })
  fold(world, { kind: 'feed', challengeIds: ['D'], rows: feed, events: feedEvents })
  fold(world, { kind: 'settings', settings: {} })
  fold(world, { kind: 'clock', now: 6 })
  expect([world.versions, world.teamVersion('t1'), world.challenge('A')]).toEqual(before)
  expect(world.challenge('A')).toBe(before[2])
  expect(world.now).toBe(6)
})

test('rows of unknown teams and challenges are ignored', () => {
  const rows = example()
  const world = createWorld(
    rules,
    { ...rows, solves: [...rows.solves, solveRow('A', 'gone', minutes(1)), solveRow('Z', 't1', minutes(1))] },
    0,
  )
  const { versions } = world
  fold(world, { kind: 'solves', rows: [solveRow('A', 'gone', minutes(1))], removed: [] })
  fold(world, { kind: 'feed', challengeIds: ['Z'], rows: [feedRow('Z', 't1')], events: [] })
  expect(world.versions).toBe(versions)
  expect(world.solvesOfChallenge('A').length).toBe(2)
})

test('solves after the end are kept but count only if the end is moved past them', () => {
  const world = createWorld(rules, example(), 0)
  fold(world, { kind: 'solves', rows: [solveRow('A', 't4', minutes(101))], removed: [] })
  expect(world.standing('t4').score).toBe(458)
  expect(world.challenge('A')?.solveCount).toBe(2)
  const solves = world.solvesOfChallenge('A')
  expect(solves.length).toBe(3)
  expect([0, 101, 102, Infinity].map((at) => solves.countBefore(at))).toEqual([0, 2, 3, 3])
  expect(world.solve('A', 't4')?.createdAt).toBe(101)
  fold(world, { kind: 'settings', settings: { endTime: 101 } })
  expect(world.standing('t4').score).toBe(916)
  expect(world.endTime).toBe(101)
  fold(world, { kind: 'settings', settings: { endTime: 40 } })
  expect(board(world)).toEqual([
    ['t2', 981],
    ['t3', 962],
    ['t1', 481],
  ])
})

test('a ban removes the team from scores, counts and bloods, and lifting it restores everything', () => {
  const world = createWorld(rules, example(), 0)
  fold(world, { kind: 'teams', rows: [teamRow('t1', { banned: true })], removed: [] })
  expect(board(world)).toEqual([
    ['t3', 981],
    ['t2', 962],
    ['t4', 481],
  ])
  expect(world.standing('t1')).toEqual({ score: 0, globalRank: null, divisionRank: null })
  expect(
    world
      .solvesOfChallenge('A')
      .slice(0, 9)
      .map(({ teamId }) => teamId),
  ).toEqual(['t3'])
  expect(world.solvesOfChallenge('A').positionOf('t1')).toBeNull()
  expect(world.solvesOfTeam('t1').map(({ challengeId }) => challengeId)).toEqual(['A', 'C'])
  expect(world.graph(['t1', 't3'], 1000).map(({ teamId }) => teamId)).toEqual(['t3'])
  fold(world, { kind: 'teams', rows: [teamRow('t1')], removed: [] })
  expect(world.standing('t1')).toEqual({ score: 939, globalRank: 2, divisionRank: 1 })
  expect(world.solvesOfChallenge('A').positionOf('t3')).toBe(2)
})

test('hidden challenges are worth nothing until they are visible again', () => {
  const world = createWorld(rules, example(), 0)
  const hide = (hidden: boolean) =>
    fold(world, {
      kind: 'challenges',
      rows: [challengeRow('C', { tiebreakEligible: false, hidden })],
      removed: [],
    })
  hide(true)
  expect(world.challenge('C')).toMatchObject({ points: 0, solveCount: 0, isPublic: false })
  expect(world.rankedCount()).toBe(3)
  expect(world.publicChallenges().map(({ id }) => id)).toEqual(['B', 'A'])
  expect(world.challenges().length).toBe(3)
  hide(false)
  expect(world.rankedCount()).toBe(4)
})

test('a scheduled challenge counts from its release on', () => {
  const rows = example()
  const scheduled = challengeRow('C', { tiebreakEligible: false, releaseAt: 70 })
  const world = createWorld(rules, { ...rows, challenges: [...rows.challenges.slice(0, 2), scheduled] }, 69)
  expect(world.nextReleaseAt()).toBe(70)
  expect(world.standing('t4').globalRank).toBeNull()
  fold(world, { kind: 'clock', now: 70 })
  expect(world.nextReleaseAt()).toBeNull()
  expect(world.standing('t4')).toEqual({ score: 458, globalRank: 4, divisionRank: 2 })
})

test('equal scores rank by age, then id; a team without tie-break rows ranks last', () => {
  const world = createWorld(
    rules,
    worldRows({
      teams: [
        teamRow('b'),
        teamRow('a'),
        teamRow('old', { createdAt: -1 }),
        teamRow('late'),
        teamRow('loose'),
      ],
      challenges: [
        challengeRow('A', { scoringKind: 'static' }),
        challengeRow('L', { scoringKind: 'static', tiebreakEligible: false }),
      ],
      solves: [
        ...['b', 'a', 'old'].map((id) => solveRow('A', id, minutes(5))),
        solveRow('A', 'late', minutes(6)),
        solveRow('L', 'loose', minutes(1)),
      ],
    }),
    0,
  )
  expect(world.ranked(all)).toEqual(['old', 'a', 'b', 'late', 'loose'])
})

test('feed scores count on public dynamic challenges at any time, with the points in the row', () => {
  const rows = worldRows({
    teams: ['t1', 't2', 't3'].map((id) => teamRow(id)),
    challenges: [challengeRow('K', { scoringKind: 'dynamic' }), challengeRow('A')],
    solves: [solveRow('A', 't3', minutes(5))],
    feed: [
      feedRow('K', 't1', { points: -20, scoredAt: 500, delta: -30, tickAt: 600 }),
      feedRow('K', 't2', { points: 700, scoredAt: 600, delta: 700, tickAt: 500 }),
    ],
    feedEvents: [
      feedEvent('K', 't1', { delta: 10, at: 500 }),
      feedEvent('K', 't2', { delta: 700, at: 500 }),
      feedEvent('K', 't1', { delta: -30, at: 600 }),
    ],
  })
  const world = createWorld(rules, rows, 0)
  expect(board(world)).toEqual([
    ['t2', 700],
    ['t3', 500],
    ['t1', -20],
  ])
  expect(world.challenge('K')).toMatchObject({ points: 0, solveCount: 2 })
  expect(world.dynamicScores('t1')).toEqual([{ challengeId: 'K', points: -20, delta: -30 }])
  expect(world.dynamicScore('K', 't2')).toEqual({ challengeId: 'K', points: 700, delta: null })
  expect(world.dynamicScore('K', 't3')).toBeUndefined()

  const version = world.teamVersion('t2')
  fold(world, { kind: 'teams', rows: [], removed: ['t1'] })
  // The team's own tick is the latest again.
  expect(world.dynamicScore('K', 't2')?.delta).toBe(700)
  expect(world.teamVersion('t2')).toBeGreaterThan(version)
  fold(world, { kind: 'feed', challengeIds: ['K'], rows: [], events: rows.feedEvents })
  expect(world.challenge('K')?.solveCount).toBe(0)
  expect(board(world)).toEqual([['t3', 500]])
})

test('a team whose only row is worth nothing is ranked', () => {
  const world = createWorld(
    rules,
    worldRows({
      teams: [teamRow('t1'), teamRow('t2')],
      challenges: [challengeRow('Z', { pointsMin: 0, pointsMax: 0 })],
      solves: [solveRow('Z', 't1', minutes(1))],
    }),
    0,
  )
  expect(world.standing('t1')).toEqual({ score: 0, globalRank: 1, divisionRank: 1 })
  expect(world.standing('t2')).toEqual({ score: 0, globalRank: null, divisionRank: null })
  expect(world.rankedCount('open')).toBe(1)
  expect(world.rankedCount('nowhere')).toBe(0)
})

test('pages, divisions and searches follow the order; ranks stay global', () => {
  const world = createWorld(rules, example(), 0)
  expect(world.ranked({ offset: 1, limit: 2 })).toEqual(['t1', 't2'])
  expect(world.ranked({ division: 'school', offset: 0, limit: 9 })).toEqual(['t3', 't4'])
  expect(world.ranked({ offset: 9, limit: 9 })).toEqual([])
  const rename = (id: string, name: string) =>
    fold(world, {
      kind: 'teams',
      rows: [teamRow(id, { name, division: id < 't3' ? 'open' : 'school' })],
      removed: [],
    })
  rename('t3', 'The Ants')
  rename('t1', 'ANTS united')
  rename('t4', 'ants')
  expect(world.searchRanked('Ants')).toEqual(['t4', 't1', 't3'])
  expect(world.searchRanked('ants', 'school')).toEqual(['t4', 't3'])
  expect(world.searchRanked('bees')).toEqual([])
})

test('versions increase only for changes that they cover', () => {
  const world = createWorld(rules, example(), 0)
  const risen = (change: Parameters<typeof fold>[1]) => {
    const before = world.versions
    fold(world, change)
    const now = world.versions
    return (['board', 'challenges', 'settings'] as const).filter((key) => now[key] > before[key])
  }
  expect(risen({ kind: 'teams', rows: [teamRow('new')], removed: [] })).toEqual([])
  expect(risen({ kind: 'teams', rows: [teamRow('new', { name: 'Newer' })], removed: [] })).toEqual([])
  expect(risen({ kind: 'teams', rows: [teamRow('t1', { email: 'x@y.z' })], removed: [] })).toEqual([])
  expect(risen({ kind: 'teams', rows: [teamRow('t1', { email: 'x@y.z', name: 'N' })], removed: [] })).toEqual(
    ['board'],
  )
  expect(risen({ kind: 'challenges', rows: [challengeRow('A', { name: 'N' })], removed: [] })).toEqual([
    'challenges',
  ])
  expect(risen({ kind: 'settings', settings: { ctfName: 'N' } })).toEqual(['settings'])
  const solve = solveRow('A', 'new', minutes(80))
  expect(risen({ kind: 'solves', rows: [solve], removed: [] })).toEqual(['board', 'challenges'])
  const version = world.teamVersion('new')
  expect(risen({ kind: 'solves', rows: [{ ...solve, globalRank: 4 }], removed: [] })).toEqual(['board'])
  expect(world.teamVersion('new')).toBeGreaterThan(version)
  expect(world.solve('A', 'new')).toEqual({ ...solve, globalRank: 4 })
})

test('teams are found by address and by ranking id, even after two teams swapped them', () => {
  const rows = [teamRow('a', { email: 'x', extrankId: '1' }), teamRow('b', { email: 'y', extrankId: '2' })]
  const world = createWorld(rules, worldRows({ teams: rows }), 0)
  fold(world, {
    kind: 'teams',
    rows: [teamRow('a', { email: 'y', extrankId: '2' }), teamRow('b', { email: 'x', extrankId: null })],
    removed: [],
  })
  expect([world.findTeamByEmail('x')?.id, world.findTeamByEmail('y')?.id]).toEqual(['b', 'a'])
  expect([world.findTeamByExtrankId('1'), world.findTeamByExtrankId('2')?.id]).toEqual([undefined, 'a'])
  fold(world, { kind: 'teams', rows: [teamRow('c')], removed: ['a'] })
  expect(world.findTeamByEmail('y')).toBeUndefined()
  expect([...world.teams()].map(({ id }) => id).sort()).toEqual(['b', 'c'])
  expect(world.teamVersion('a')).toBe(0)
})

test('a challenge created again under its old id starts empty', () => {
  const rows = { ...example(), challenges: [challengeRow('A', { n: 1 })] }
  const world = createWorld(rules, rows, 0)
  expect(world.rankedCount()).toBe(2)
  fold(world, { kind: 'challenges', rows: [challengeRow('A', { n: 2 })], removed: [] })
  expect(world.rankedCount()).toBe(0)
  expect(world.solvesOfTeam('t3')).toEqual([])
})

test('orders solves with equal times by id', () => {
  const world = createWorld(
    rules,
    worldRows({ teams: ['a', 'b', 'c'].map((id) => teamRow(id)), challenges: [challengeRow('A')] }),
    0,
  )
  const solves = [3, 1, 2].map((number, at) =>
    solveRow('A', 'abc'[at] ?? '', { id: solveId(number), createdAt: 5 }),
  )
  fold(world, { kind: 'solves', rows: solves, removed: [] })
  expect(
    world
      .solvesOfChallenge('A')
      .slice(0, 9)
      .map(({ teamId }) => teamId),
  ).toEqual(['b', 'c', 'a'])
  expect(
    world
      .solvesOfChallenge('A')
      .slice(1, 1)
      .map(({ id }) => id),
  ).toEqual([solveId(2)])
  expect(world.solvesOfChallenge('A').positionOf('a')).toBe(3)
})

test('solves in columns produce the same world as solves in rows', () => {
  const rows = example()
  const numbered = {
    ...rows,
    teams: rows.teams.map((row, at) => ({ ...row, n: 70 + at })),
    challenges: rows.challenges.map((row, at) => ({ ...row, n: 5 + at })),
  }
  const solves = [...rows.solves, solveRow('A', 'gone', minutes(3))]
  const number = (list: readonly { id: string; n: number }[], id: string) =>
    list.find((row) => row.id === id)?.n ?? 999
  const hex = solves.map(({ id }) => id.replaceAll('-', '')).join('')
  const columns: SolveColumns = {
    length: solves.length,
    teamNumbers: Int32Array.from(solves, ({ teamId }) => number(numbered.teams, teamId)),
    challengeNumbers: Int32Array.from(solves, ({ challengeId }) => number(numbered.challenges, challengeId)),
    createdAt: Float64Array.from(solves, ({ createdAt }) => createdAt),
    ids: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    globalRanks: Int32Array.from(solves, (_, at) => at),
    divisionRanks: Int32Array.from(solves, (_, at) => at),
    assisted: Uint8Array.from(solves, (_, at) => at % 2),
  }
  const world = createWorld(rules, { ...numbered, solves: [], solveColumns: [columns] }, 0)
  const plain = createWorld(rules, numbered, 0)
  expect(board(world)).toEqual(board(plain))
  expect(solves.slice(0, 2).map(({ challengeId }) => world.solve(challengeId, 't3'))).toEqual([
    { ...rows.solves[0], globalRank: null, divisionRank: null },
    { ...rows.solves[1], globalRank: 1, divisionRank: 1, isAssisted: true },
  ])
})

test('a batch of many teams has the same result as single submissions', () => {
  const ids = Array.from({ length: 150 }, (_, at) => `t${at}`)
  const rows = worldRows({
    teams: ids.map((id) => teamRow(id)),
    challenges: [challengeRow('A'), challengeRow('B')],
  })
  const together = createWorld(rules, rows, 0)
  const alone = createWorld(rules, rows, 0)
  const solves = ids.map((id, at) => solveRow('AB'[at % 2] ?? '', id, minutes((at * 37) % 100)))
  fold(together, { kind: 'solves', rows: solves, removed: [] })
  for (const solve of solves) fold(alone, { kind: 'solves', rows: [solve], removed: [] })
  expect(board(together)).toEqual(board(alone))
  expect(together.rankedCount()).toBe(150)
})
