import { expect, test } from 'vitest'
import { newest } from './newest.ts'

test('the newest challenge comes first, and ties are sorted by fewest solves', () => {
  const challenges = [
    { id: 'old', solves: 0 },
    { id: 'many', solves: 9 },
    { id: 'few', solves: 1 },
  ]
  const seen = { old: 1, many: 2, few: 2 }
  expect(newest(challenges, seen).map(({ id }) => id)).toEqual(['few', 'many', 'old'])
})
