import { expect, test } from 'vitest'
import { withSeen } from './first-seen.ts'

test('a challenge keeps the moment at which it was seen first, and is forgotten when it is gone', () => {
  const seen = withSeen({}, ['anchor', 'buoy'], 10)
  expect(seen).toEqual({ anchor: 10, buoy: 10 })
  expect(withSeen(seen, ['buoy', 'keel'], 20)).toEqual({ buoy: 10, keel: 20 })
})

test('ids that are names of every object are challenges as others', () => {
  expect(withSeen({}, ['constructor'], 5)['constructor']).toBe(5)
})
