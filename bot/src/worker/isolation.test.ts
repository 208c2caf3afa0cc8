import { expect, test } from 'vitest'
import { createVisitUsers } from './isolation.ts'

test('concurrent visits have different user ids', () => {
  const users = createVisitUsers()
  const taken = new Set<number>()
  expect(() => {
    for (;;) taken.add(users.take())
  }).toThrow('no user id is available')
  expect(taken.size).toBe(256)
  expect(Math.min(...taken)).toBeGreaterThanOrEqual(1001)
  expect(Math.max(...taken)).toBeLessThan(65_534)
  users.release(50_007)
  expect(users.take()).toBe(50_007)
})
