import { expect, test } from 'vitest'
import { challengeRow, feedEvent, feedRow, solveRow, teamRow, worldRows } from '../../../test/world-rows.ts'
import { genniScores } from '../../providers/scores/genni.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { WorldRules } from '../model.ts'
import { createWorld, fold } from '../fold/world.ts'

const noon = Date.UTC(2030, 0, 1, 12)
const at = (minutes: number, seconds = 0) => noon + minutes * 60_000 + seconds * 1000
const fiveMinutes = 300_000

/** 500 for one solve, 481 for two. */
const score: ScoreFormula = {
  needs: { maxSolves: false, firstSolve: false },
  value: ({ max, solves }) => (solves < 2 ? max : max - 19),
}
const rules: WorldRules = { score, startTime: at(-60), endTime: at(48) }
const clock = (time: number) => new Date(time).toISOString().slice(11, 19)

function contest() {
  return worldRows({
    teams: ['me', 'rival'].map((id) => teamRow(id)),
    challenges: [
      challengeRow('A'),
      challengeRow('B', { scoringKind: 'static', pointsMax: 300 }),
      challengeRow('C', { scoringKind: 'static' }),
      challengeRow('K', { scoringKind: 'dynamic' }),
    ],
    solves: [
      solveRow('A', 'me', { createdAt: at(1) }),
      solveRow('A', 'rival', { createdAt: at(4, 30) }),
      solveRow('B', 'me', { createdAt: at(12) }),
      solveRow('C', 'rival', { createdAt: at(13) }),
    ],
  })
}

test('has a point for each bucket in which the score changed, and the current score; newest first', () => {
  const world = createWorld(rules, contest(), 0)
  const [line] = world.graph(['me'], fiveMinutes)
  expect(line?.points.map((point) => [clock(point.time), point.score])).toEqual([
    ['12:15:00', 781],
    ['12:13:00', 781],
    ['12:05:00', 481],
  ])
  expect(line?.dynamicPoints).toEqual([])
})

test('returns rows in the requested order, without unranked teams', () => {
  const world = createWorld(rules, { ...contest(), teams: [...contest().teams, teamRow('idle')] }, 0)
  const lines = world.graph(['rival', 'idle', 'nobody', 'me'], fiveMinutes)
  expect(lines.map(({ teamId }) => teamId)).toEqual(['rival', 'me'])
})

test('a time on a bucket boundary belongs to the bucket that ends there, and the current score is not duplicated', () => {
  const rows = { ...contest(), solves: [solveRow('A', 'me', { createdAt: at(5) })] }
  const world = createWorld(rules, rows, 0)
  expect(world.graph(['me'], fiveMinutes)[0]?.points).toEqual([{ time: at(5), score: 500 }])
})

test('the last bucket ends with the event; later feed events keep their buckets', () => {
  const rows = {
    ...contest(),
    solves: [solveRow('A', 'me', { createdAt: at(47) })],
    feed: [feedRow('K', 'me', { points: 30, scoredAt: at(46), tickAt: at(51) })],
    feedEvents: [
      feedEvent('K', 'me', { at: at(46), delta: 50 }),
      feedEvent('K', 'me', { at: at(51), delta: -20 }),
    ],
  }
  const world = createWorld(rules, rows, 0)
  const [line] = world.graph(['me'], fiveMinutes)
  const seen = (points: typeof line extends undefined ? never : { time: number; score: number }[]) =>
    points.map(({ time, score: value }) => [clock(time), value])
  expect(seen([...(line?.points ?? [])])).toEqual([
    ['12:55:00', 530],
    ['12:51:00', 530],
    ['12:48:00', 550],
  ])
  expect(seen([...(line?.dynamicPoints ?? [])])).toEqual([
    ['12:55:00', 30],
    ['12:51:00', 30],
    ['12:48:00', 50],
  ])
})

test('buckets are at least a second long, and changes that sum to zero add no point', () => {
  const rows = {
    ...contest(),
    solves: [],
    feed: [feedRow('K', 'me', { points: 10, scoredAt: at(1), tickAt: at(3) })],
    feedEvents: [
      feedEvent('K', 'me', { at: at(1) + 1, delta: 10 }),
      feedEvent('K', 'me', { at: at(2) + 1, delta: 5 }),
      feedEvent('K', 'me', { at: at(2) + 2, delta: -5 }),
      feedEvent('K', 'rival', { at: at(3), delta: 0 }),
    ],
  }
  const [line] = createWorld(rules, rows, 0).graph(['me'], 1)
  expect(line?.points).toEqual([
    { time: at(3), score: 10 },
    { time: at(1, 1), score: 10 },
  ])
})

test('a value that drops to zero removes the points of the early solvers', async () => {
  const genni = await genniScores.start({}, {} as never)
  const world = createWorld({ ...rules, score: genni }, contest(), 0)
  fold(world, { kind: 'teams', rows: [teamRow('third')], removed: [] })
  fold(world, { kind: 'solves', rows: [solveRow('A', 'third', { createdAt: at(21) })], removed: [] })
  const [line] = world.graph(['me'], fiveMinutes)
  expect(line?.points.map((point) => [clock(point.time), point.score])).toEqual([
    ['12:25:00', 300],
    ['12:21:00', 300],
    ['12:15:00', 800],
    ['12:05:00', 500],
  ])
})

test('old points use the current point settings', () => {
  const world = createWorld(rules, contest(), 0)
  expect(world.graph(['me'], fiveMinutes)[0]?.points.at(-1)?.score).toBe(481)
  fold(world, { kind: 'challenges', rows: [challengeRow('A', { pointsMax: 1000 })], removed: [] })
  expect(world.graph(['me'], fiveMinutes)[0]?.points.at(-1)?.score).toBe(981)
})
