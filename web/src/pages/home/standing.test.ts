import { expect, test } from 'vitest'
import { buntingOf, nextFor, solvesByCategory } from './standing.ts'

const challenges = [
  { id: 'a', category: 'web', solves: 4 },
  { id: 'b', category: 'web', solves: 9 },
  { id: 'c', category: 'pwn', solves: 0 },
  { id: 'd', category: 'web', solves: 2 },
]
const solves = [
  { id: 'd', bloodIndex: 1 },
  { id: 'b', bloodIndex: null },
]

test('the bunting is in the order of categories, solved ones first, with the place of a blood', () => {
  expect(buntingOf(challenges, solves)).toEqual([
    { category: 'web', state: 'solved' },
    { category: 'web', state: 2 },
    { category: 'web', state: 'open' },
    { category: 'pwn', state: 'open' },
  ])
})

test('next is what is open and what most teams have solved', () => {
  expect(nextFor(challenges, solves).map(({ id }) => id)).toEqual(['a', 'c'])
})

test('solves are summed by category', () => {
  expect(solvesByCategory(challenges)).toEqual([
    ['web', 15],
    ['pwn', 0],
  ])
})
