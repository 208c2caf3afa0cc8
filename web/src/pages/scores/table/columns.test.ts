import { expect, test } from 'vitest'
import { CELL } from '../../../ui/board/matrix-maths.ts'
import {
  byCategory,
  categoriesOf,
  cellsOf,
  columnsOf,
  countSolved,
  solveCount,
  solvedByCategory,
} from './columns.ts'

function head(
  category: string,
  points: number,
  rest: { solves?: number; firstSolvers?: { id: string }[] } = {},
) {
  const base = { name: `${category} ${points}`, category, points, sortWeight: null }
  return { ...base, scoringKind: 'decay' as const, solves: 0, firstSolvers: [], ...rest }
}

const heads = {
  hard: head('web', 500, { solves: 1, firstSolvers: [{ id: 'a' }] }),
  easy: head('web', 100, { solves: 9, firstSolvers: [{ id: 'b' }, { id: 'a' }] }),
  key: head('crypto', 300, { solves: 4, firstSolvers: [{ id: 'c' }, { id: 'd' }, { id: 'e' }] }),
  hill: { ...head('koth', 0), scoringKind: 'dynamic' as const },
}

test('columns are sorted by category and value, or by solves', () => {
  expect(columnsOf(heads, 'category').map(({ id }) => id)).toEqual(['easy', 'hard', 'key', 'hill'])
  expect(columnsOf(heads, 'solves').map(({ id }) => id)).toEqual(['easy', 'key', 'hard', 'hill'])
  const groups = byCategory(columnsOf(heads, 'category')).map(([name, columns]) => [name, columns.length])
  expect(groups).toEqual([
    ['web', 2],
    ['crypto', 1],
    ['koth', 1],
  ])
})

test('cells distinguish bloods, later solves and dynamic points', () => {
  const columns = columnsOf(heads, 'category')
  const solves = ['easy', 'hard', 'key'].map((id) => ({ id, solveTime: 1 }))
  const cells = cellsOf(
    { id: 'a', solves, dynamicScores: [{ id: 'hill', points: 7, pointDelta: 1 }] },
    columns,
  )
  expect([...cells]).toEqual([CELL.blood2, CELL.blood1, CELL.solved, CELL.live])
  expect(countSolved(cells)).toBe(4)
  expect([...cellsOf({ id: 'z', solves: [], dynamicScores: [] }, columns)]).toEqual([0, 0, 0, 0])
})

test('the solve count includes challenges with dynamic points', () => {
  const scored = { challengeId: 'hill', points: 10, pointDelta: 0 }
  expect(solveCount({ solves: [], dynamicScores: [{ id: 'hill', ...scored }] })).toBe(1)
})

test('solves and dynamic points count for their category; unknown challenges count for none', () => {
  const categories = categoriesOf(heads)
  expect(categories.map(({ name, ids }) => [name, ids.size])).toEqual([
    ['web', 2],
    ['crypto', 1],
    ['koth', 1],
  ])
  const solves = ['easy', 'gone', 'hard'].map((id) => ({ id, solveTime: 1 }))
  const dynamicScores = [{ id: 'hill', points: 7, pointDelta: 1 }]
  expect(solvedByCategory({ solves, dynamicScores }, categories)).toEqual([2, 0, 1])
})
