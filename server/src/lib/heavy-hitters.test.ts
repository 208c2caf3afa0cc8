import { expect, test } from 'vitest'
import { createHeavyHitters } from './heavy-hitters.ts'

test('finds the frequent key among many rare ones in bounded memory', () => {
  const { add, top } = createHeavyHitters(8)
  for (let n = 0; n < 5_000; n += 1) {
    add(`rare ${n}`)
    add('frequent')
    add('frequent')
    add('frequent')
  }
  const [first] = top()
  expect(first?.[0]).toBe('frequent')
  expect(first?.[1]).toBeGreaterThan(15_000 - 20_000 / 8)
  expect(first?.[1]).toBeLessThanOrEqual(15_000)
  expect(top().length).toBeLessThanOrEqual(8)
})

test('counts exactly up to the maximum number of keys', () => {
  const { add, top } = createHeavyHitters()
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) add(key)
  expect(top()).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', 1],
  ])
})
