import { expect, test } from 'vitest'
import { withSeen } from './first-seen.ts'

test('a challenge keeps its first-seen time and is dropped when it is removed', () => {
  const seen = withSeen({}, ['anchor', 'buoy'], 10)
  expect(seen).toEqual({ anchor: 10, buoy: 10 })
  expect(withSeen(seen, ['buoy', 'keel'], 20)).toEqual({ buoy: 10, keel: 20 })
})

test('names of built-in object properties are valid challenge IDs', () => {
  expect(withSeen({}, ['constructor'], 5)['constructor']).toBe(5)
})
