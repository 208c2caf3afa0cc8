import { expect, test } from 'vitest'
import { requiring } from './prerequisites.ts'

test('what requires a challenge, directly or not, cannot be its prerequisite', () => {
  const challenges = [
    { id: 'a' },
    { id: 'b', prerequisites: ['a'] },
    { id: 'c', prerequisites: ['b', 'x'] },
    { id: 'x', prerequisites: [] },
  ]
  expect([...requiring('a', challenges)].toSorted()).toEqual(['a', 'b', 'c'])
  expect([...requiring('c', challenges)]).toEqual(['c'])
})

test('a cycle that other edits left ends', () => {
  const challenges = [
    { id: 'a', prerequisites: ['b'] },
    { id: 'b', prerequisites: ['a'] },
  ]
  expect([...requiring('a', challenges)]).toEqual(['a', 'b'])
})
