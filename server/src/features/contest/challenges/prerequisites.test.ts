import { expect, test } from 'vitest'
import { findCycle } from './prerequisites.ts'

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges))

test('finds the cycle through a challenge, and no other', () => {
  expect(findCycle('a', graph({ a: ['a'] }))).toEqual(['a', 'a'])
  expect(findCycle('a', graph({ a: ['b', 'c'], b: ['d'], c: ['e'], e: ['a'] }))).toEqual(['a', 'c', 'e', 'a'])
  expect(findCycle('a', graph({ a: ['b'], b: ['c'], c: ['b'] }))).toBeNull()
  expect(findCycle('a', graph({ a: ['b', 'c'], b: ['d'], c: ['d'] }))).toBeNull()
  expect(findCycle('a', graph({}))).toBeNull()
})

test('visits each challenge once, however many paths lead to it', () => {
  const ladder = Object.fromEntries(
    Array.from({ length: 200 }, (_, step) => [`l${step}`, [`l${step + 1}`, `r${step + 1}`]]).concat(
      Array.from({ length: 200 }, (_, step) => [`r${step}`, [`l${step + 1}`, `r${step + 1}`]]),
    ),
  ) as Record<string, string[]>
  expect(findCycle('l0', graph(ladder))).toBeNull()
})
