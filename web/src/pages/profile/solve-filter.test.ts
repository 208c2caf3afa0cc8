import { expect, test } from 'vitest'
import { matching } from './solve-filter.ts'
import type { Solve } from './solve-order.ts'

const solve = (name: string, category: string): Solve => ({
  id: name,
  name,
  category,
  points: 1,
  solves: 1,
  createdAt: 1,
  awardedPoints: 1,
  bloodIndex: null,
})
const solves = [solve('Guest book', 'web'), solve('Tide table', 'web'), solve('Book of keys', 'crypto')]
const names = (query: string, category = '') => matching(solves, { query, category }).map(({ name }) => name)

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
