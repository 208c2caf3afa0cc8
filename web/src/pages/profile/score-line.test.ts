import { expect, test } from 'vitest'
import { hasScored, lineFromSamples, lineFromSolves } from './score-line.ts'
import type { Solve } from './solve-rows.ts'

const span = { from: 100, to: 200 }
const solve = (createdAt: number, points: number | null): Solve => ({
  id: String(createdAt),
  name: '',
  category: 'web',
  points,
  solves: 1,
  createdAt,
  awardedPoints: 999,
  bloodIndex: null,
})

test('the line starts at zero and ends now, where later samples are drawn', () => {
  const samples = [
    { time: 300, score: 90 },
    { time: 150, score: 50 },
  ]
  expect(lineFromSamples(samples, span)).toEqual([
    [100, 0],
    [150, 50],
    [200, 90],
  ])
  expect(lineFromSamples([], span)).toEqual([
    [100, 0],
    [200, 0],
  ])
})

test('without samples the solves are summed at their current value', () => {
  expect(lineFromSolves([solve(180, 20), solve(160, null), solve(120, 10)], span)).toEqual([
    [100, 0],
    [120, 10],
    [160, 10],
    [180, 30],
    [200, 30],
  ])
})

test.each([
  [{ score: 0, solves: [] }, [], false],
  [{ score: 0, solves: [] }, [{ time: 150, score: 0 }], false],
  [{ score: 0, solves: [] }, [{ time: 150, score: 5 }], true],
  [{ score: 0, solves: [solve(120, 0)] }, [], true],
  [{ score: 7, solves: [] }, [], true],
])('with %j and the samples %j there is a line: %s', (team, samples, isDrawn) => {
  expect(hasScored(team, samples)).toBe(isDrawn)
})
