import { describe, expect, test } from 'vitest'
import { boundedMap } from './bounded-map.ts'

describe('a bounded map', () => {
  test('forgets what was used longest ago when it has too many entries', () => {
    const map = boundedMap<number>({ maxEntries: 2, maxSize: 100 })
    map.set('a', 1, 1)
    map.set('b', 2, 1)
    expect(map.get('a')).toBe(1)
    map.set('c', 3, 1)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  })

  test('forgets until the sizes fit, counting a replaced entry once', () => {
    const map = boundedMap<string>({ maxEntries: 10, maxSize: 10 })
    map.set('a', 'old', 9)
    map.set('a', 'new', 4)
    map.set('b', 'b', 6)
    expect([map.get('a'), map.get('b')]).toEqual(['new', 'b'])
    map.set('c', 'c', 1)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 'b', 'c'])
  })

  test('does not keep what is larger than itself, nor what stood there before', () => {
    const map = boundedMap<string>({ maxEntries: 10, maxSize: 10 })
    map.set('a', 'small', 1)
    map.set('a', 'huge', 11)
    expect(map.get('a')).toBeUndefined()
  })

  test('is empty and has all its room again after clear', () => {
    const map = boundedMap<string>({ maxEntries: 10, maxSize: 10 })
    map.set('a', 'a', 10)
    map.clear()
    map.set('b', 'b', 10)
    expect([map.get('a'), map.get('b')]).toEqual([undefined, 'b'])
  })
})
