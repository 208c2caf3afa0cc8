import { expect, test } from 'vitest'
import { byExpectation, unusualOf } from './expected-order.ts'
import type { ChallengeFigures } from './queries.ts'

const challenge = (
  id: string,
  given: Partial<ChallengeFigures> & { bySolves?: number },
): ChallengeFigures => ({
  id,
  name: id,
  category: 'web',
  initialPoints: 100,
  points: 100,
  solves: 1,
  share: 0.5,
  openedAt: 0,
  firstSolve: null,
  medianMs: null,
  shift: { bySolves: given.bySolves ?? 0, byFirstSolve: 0 },
  ...given,
})

test('challenges are grouped by category and ordered by initial points, then as listed', () => {
  const all = [
    challenge('hard', { initialPoints: 500 }),
    challenge('pwn', { category: 'pwn' }),
    challenge('first', {}),
    challenge('second', {}),
  ]
  const groups = byExpectation(all).map((group) => group.map(({ id }) => id))
  expect(groups).toContainEqual(['first', 'second', 'hard'])
  expect(groups).toContainEqual(['pwn'])
})

test('a single rank is not unusual; the furthest are first', () => {
  const all = [3, -2, 1, -1, 5, 0].map((bySolves) => challenge(`${bySolves}`, { bySolves }))
  const { harder, easier } = unusualOf(all)
  expect(harder.map(({ id }) => id)).toEqual(['5', '3'])
  expect(easier.map(({ id }) => id)).toEqual(['-2'])
})
