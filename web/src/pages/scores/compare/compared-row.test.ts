import { expect, test } from 'vitest'
import { comparedIds, comparedRow } from './compared-row.ts'

const solve = (id: string, createdAt: number) => ({
  id,
  createdAt,
  name: id,
  category: 'web',
  points: 100,
  solves: 2,
  awardedPoints: 100,
  bloodIndex: null,
})

test('the first of the compared teams is marked, unless no one else solved it', () => {
  const teams = [
    { solves: [solve('a', 20), solve('b', 5)], dynamicScores: [] },
    { solves: [solve('a', 10)], dynamicScores: [{ id: 'hill', points: 7, pointDelta: 1 }] },
    { solves: [], dynamicScores: [] },
  ]
  expect(comparedRow({ id: 'a' }, teams)).toEqual([
    { isSolved: true, at: 20, points: null, isFirst: false },
    { isSolved: true, at: 10, points: null, isFirst: true },
    { isSolved: false, at: null, points: null, isFirst: false },
  ])
  expect(comparedRow({ id: 'b' }, teams)[0]).toMatchObject({ at: 5, isFirst: false })
  expect(comparedRow({ id: 'hill' }, teams)[1]).toMatchObject({ isSolved: true, at: null, points: 7 })
})

test('an address has at most five team ids, each once', () => {
  const ids = Array.from({ length: 7 }, (_, at) => `0000000${at}-0000-4000-8000-000000000000`)
  expect(comparedIds(null)).toEqual([])
  expect(comparedIds(`,${ids[0]},${ids[0]},<b>,${ids[1]}`)).toEqual(ids.slice(0, 2))
  expect(comparedIds(ids.join(','))).toEqual(ids.slice(0, 5))
})
