import { expect, test } from 'vitest'
import { challengeRow, end, rules, solveRow, start, teamRow, worldRows } from '../../../test/contest-rows.ts'
import { createWorld, fold } from '../fold/world.ts'

test('the key of the solves of a challenge changes with what their rows show, and with nothing else', () => {
  const [a, b] = ['A', 'B'].map((challengeId, at) =>
    solveRow(at, { challengeId, teamId: 't1', createdAt: start + 10, globalRank: 1, divisionRank: 1 }),
  )
  const world = createWorld(
    rules,
    worldRows({
      teams: ['t1', 't2', 't3'].map((id) => teamRow(id)),
      challenges: [challengeRow('A'), challengeRow('B')],
      solves: [a, b].filter((row) => row !== undefined),
    }),
    start,
  )
  const keys = () => [world.solvesKey('A'), world.solvesKey('B')]
  const changed = (change: Parameters<typeof fold>[1]) => {
    const [beforeA, beforeB] = keys()
    fold(world, change)
    const [afterA, afterB] = keys()
    return [beforeA !== afterA, beforeB !== afterB]
  }
  const late = { challengeId: 'A', teamId: 't2', createdAt: start + 20 }
  expect(changed({ kind: 'solves', rows: [solveRow(2, late)], removed: [] })).toEqual([true, false])
  const ranked = solveRow(2, { ...late, globalRank: 9, divisionRank: 9 })
  expect(changed({ kind: 'solves', rows: [ranked], removed: [] })).toEqual([true, false])
  expect(changed({ kind: 'teams', rows: [teamRow('t3', { name: 'other' })], removed: [] })).toEqual([
    false,
    false,
  ])
  expect(changed({ kind: 'teams', rows: [teamRow('t1', { name: 'other' })], removed: [] })).toEqual([
    true,
    true,
  ])
  // After the end it gets no ranks, so its row shows those that the team has now.
  const after = solveRow(3, { challengeId: 'B', teamId: 't3', createdAt: end + 1 })
  expect(changed({ kind: 'solves', rows: [after], removed: [] })).toEqual([false, true])
  expect(changed({ kind: 'solves', rows: [], removed: [late] })).toEqual([true, true])
  expect(changed({ kind: 'solves', rows: [], removed: [after] })).toEqual([false, true])
})
