import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import {
  challengeRow,
  end,
  feedRow,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../test/contest-rows.ts'
import { createWorld, fold } from '../fold/world.ts'
import { adjustmentRows, type AdjustmentRow } from '../../features/contest/adjustments/rows.ts'
import type { WorldRows, WorldRules } from '../model.ts'

const sampleMs = MINUTE_MS
const teamIds = ['a', 'b', 'c', 'd', 'gone']
/** The value of each challenge depends on the largest number of solves of any. */
const relative: WorldRules = {
  ...rules,
  score: {
    needs: { maxSolves: true, firstSolve: false },
    value: ({ max, solves, maxSolves }) => max - 50 * solves + maxSolves,
  },
}

const teams = [
  ...teamIds.slice(0, 4).map((id, at) => teamRow(id, { division: at % 2 === 0 ? 'open' : 'school' })),
  teamRow('gone', { banned: true }),
]
const challenges = [
  challengeRow('one'),
  challengeRow('two', { tiebreakEligible: false }),
  challengeRow('fixed', { scoringKind: 'static' }),
  challengeRow('hidden', { hidden: true }),
]
const solves = [
  ['gone', 'one'],
  ['a', 'one'],
  ['b', 'fixed'],
  ['c', 'two'],
  ['c', 'hidden'],
  ['b', 'one'],
  ['d', 'one'],
  ['d', 'two'],
  ['a', 'fixed'],
  ['a', 'two'],
].map(([teamId = '', challengeId = ''], at) => solveRow(at + 1, { teamId, challengeId }))

const adjustments = [
  ['c', 30],
  ['b', -70],
  ['gone', 900],
  ['a', 5],
].map(([teamId, points], at): AdjustmentRow => ({
  id: `${at}`,
  teamId: String(teamId),
  points: Number(points),
  reason: 'fair play',
  kind: 'manual',
  at: start + (2 * at + 1) * MINUTE_MS,
}))

const adjusted = (known: readonly AdjustmentRow[]) => [{ of: adjustmentRows, rows: known }]
const rows: Partial<WorldRows> = { teams, challenges, solves, rows: adjusted(adjustments) }

describe.each([
  ['values by own solves', rules],
  ['values by the solves of all challenges', relative],
])('an earlier time, with %s', (_, withRules) => {
  const world = createWorld(withRules, worldRows(rows), end)

  test('has the standings of a contest that ended then', () => {
    for (let minute = 0; minute <= solves.length + 1; minute += 1) {
      const time = start + minute * MINUTE_MS
      const known = solves.filter(({ createdAt }) => createdAt <= time)
      const made = adjustments.filter(({ at }) => at <= time)
      const then = createWorld(withRules, worldRows({ ...rows, solves: known, rows: adjusted(made) }), time)
      const { global, inDivision } = world.ranksAt(time, sampleMs)
      const scores = world.scoresAt(teamIds, { times: [start, time], sampleMs })
      for (const [at, id] of teamIds.entries()) {
        const { score, globalRank, divisionRank } = then.standing(id)
        expect([minute, id, scores[at]?.[1]]).toEqual([minute, id, score])
        expect([minute, id, global.get(id) ?? null]).toEqual([minute, id, globalRank])
        expect([minute, id, inDivision.get(id) ?? null]).toEqual([minute, id, divisionRank])
      }
      expect(scores.map(([first]) => first)).toEqual(teamIds.map(() => 0))
    }
  })

  test('after the end has the final standings', () => {
    const late = solveRow(60, { teamId: 'd', challengeId: 'fixed', createdAt: end + MINUTE_MS })
    const over = createWorld(withRules, worldRows({ ...rows, solves: [...solves, late] }), end + HOUR_MS)
    expect(over.ranksAt(end + HOUR_MS, sampleMs)).toEqual(over.ranksAt(end, sampleMs))
    const [final, later] = over.scoresAt(['d'], { times: [end, end + HOUR_MS], sampleMs })[0] ?? []
    expect([final, later]).toEqual([over.standing('d').score, over.standing('d').score])
  })
})

test('pushed scores count from the end of their bucket', () => {
  const live = challengeRow('live', { scoringKind: 'dynamic', flags: [] })
  const at = (minute: number) => start + minute * MINUTE_MS
  const world = createWorld(
    rules,
    worldRows({
      teams,
      challenges: [live],
      feed: [feedRow('live', 'a', { points: 8, scoredAt: at(1) }), feedRow('live', 'gone', { points: 9 })],
      feedEvents: [
        { id: 1, challengeId: 'live', teamId: 'a', delta: 10, at: at(1) },
        { id: 2, challengeId: 'live', teamId: 'gone', delta: 9, at: at(1) },
        { id: 3, challengeId: 'live', teamId: 'a', delta: -2, at: at(3) - SECOND_MS },
      ],
    }),
    end,
  )
  const times = [start, at(1), at(2), at(3)]
  expect(world.scoresAt(['a', 'gone', 'nobody'], { times, sampleMs })).toEqual([
    [0, 10, 10, 8],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ])
  expect([...world.ranksAt(start, sampleMs).global.keys()]).toEqual([])
  expect([...world.ranksAt(at(1), sampleMs).global]).toEqual([['a', 1]])
})

test('a solve that arrives later changes the scores before it', () => {
  const query = { times: [start + 3 * MINUTE_MS, start + 20 * MINUTE_MS], sampleMs }
  let world = createWorld(rules, worldRows({ teams, challenges, solves: solves.slice(0, 2) }), end)
  expect(world.scoresAt(['a', 'b'], query)).toEqual([
    [499, 499],
    [0, 0],
  ])
  const solve = solveRow(90, { teamId: 'b', challengeId: 'one', createdAt: start + 4 * MINUTE_MS })
  world = fold(world, { kind: 'solves', rows: [solve], removed: [] })
  expect(world.scoresAt(['a', 'b'], query)).toEqual([
    [499, 498],
    [0, 498],
  ])
})
