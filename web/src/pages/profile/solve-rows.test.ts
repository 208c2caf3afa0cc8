import { expect, test } from 'vitest'
import { categoryPoints, matching, orderFromText, orderText, sorted, type Solve } from './solve-rows.ts'

const solve = (id: string, points: number | null, createdAt: number): Solve => ({
  id,
  name: id,
  category: 'web',
  points,
  solves: 1,
  createdAt,
  awardedPoints: points,
  bloodIndex: null,
})
const solves = [solve('b', 10, 1), solve('a', null, 3), solve('c', 5, 2)]
const ids = (text: string | null) => sorted(solves, orderFromText(text)).map(({ id }) => id)

test('the newest come first unless the URL contains another order', () => {
  for (const text of [null, 'constructor', '-nothing'])
    expect(ids(text), String(text)).toEqual(['a', 'c', 'b'])
})

test('orders are ascending or descending, and unknown points count as zero', () => {
  expect([ids('points'), ids('-points'), ids('name')]).toEqual([
    ['a', 'c', 'b'],
    ['b', 'c', 'a'],
    ['a', 'b', 'c'],
  ])
})

test('bloods come before other solves', () => {
  const bloods = [2, null, 0].map((bloodIndex, at) => ({ ...solve(`${bloodIndex}`, 1, at), bloodIndex }))
  expect(sorted(bloods, orderFromText('blood')).map(({ id }) => id)).toEqual(['0', '2', 'null'])
})

test('an order survives the URL', () => {
  expect(['name', '-points'].map((text) => orderText(orderFromText(text)))).toEqual(['name', '-points'])
})

const named = (name: string, category: string): Solve => ({ ...solve(name, 1, 1), category })
const rows = [named('Guest book', 'web'), named('Tide table', 'web'), named('Book of keys', 'crypto')]
const names = (query: string, category = '') => matching(rows, { query, category }).map(({ name }) => name)

test('every word must match the name or the category', () => {
  expect(names(' BOOK  web')).toEqual(['Guest book'])
  expect(names('book')).toEqual(['Guest book', 'Book of keys'])
  expect(names('')).toHaveLength(3)
  expect(names('nothing')).toEqual([])
})

test('a category excludes the others', () => {
  expect(names('', 'web')).toEqual(['Guest book', 'Tide table'])
  expect(names('book', 'crypto')).toEqual(['Book of keys'])
})

test('points of a category include live scores, which have no maximum', () => {
  const challenge = (id: string, points: number, scoringKind: string) =>
    ({ id, points, scoringKind }) as Parameters<typeof categoryPoints>[1][number]
  const team = { solves: [solve('a', 100, 1)], dynamicScores: [{ id: 'hill', points: 661, pointDelta: 0 }] }
  const fixed = [challenge('a', 100, 'decay'), challenge('b', 200, 'decay')]
  expect(categoryPoints(team, fixed)).toEqual({ own: 100, all: 300 })
  expect(categoryPoints(team, [challenge('hill', 0, 'dynamic')])).toEqual({ own: 661, all: null })
  expect(categoryPoints(team, [...fixed, challenge('hill', 0, 'dynamic')])).toEqual({ own: 761, all: null })
})
