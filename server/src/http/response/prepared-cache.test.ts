import { describe, expect, test } from 'vitest'
import { cacheCounts } from '../../lib/cache-counts.ts'
import { memoizeLatest, preparedCache } from './prepared-cache.ts'
import { preparedBytes } from './prepared.ts'

const bytes = (text: string) => preparedBytes(Buffer.from(text))

describe('preparedCache', () => {
  test('renders once per state and key and returns the same object', () => {
    const cache = preparedCache({ name: 'test', max: 10, maxSize: 1000 })
    const first = cache.get('1', 'page', () => bytes('one'))
    expect(cache.get('1', 'page', () => bytes('never'))).toBe(first)
    expect(cache.get('1', 'other', () => bytes('two')).body.toString()).toBe('two')
  })

  test('is cleared when the state changes', () => {
    const cache = preparedCache({ name: 'test', max: 10, maxSize: 1000 })
    cache.get('1', 'page', () => bytes('old'))
    expect(cache.get('2', 'page', () => bytes('new')).body.toString()).toBe('new')
    expect(cache.get('1', 'page', () => bytes('again')).body.toString()).toBe('again')
  })

  test('replaces only the page whose state changed, if each has its own', () => {
    const cache = preparedCache({ name: 'test', max: 10, maxSize: 1000, statePerKey: true })
    cache.get('1', 'page', () => bytes('old'))
    const other = cache.get('1', 'other', () => bytes('other'))
    expect(cache.get('2', 'page', () => bytes('new')).body.toString()).toBe('new')
    expect(cache.find('1', 'page')).toBeUndefined()
    expect(cache.get('1', 'other', () => bytes('never'))).toBe(other)
  })

  test('counts its lookups, each once', () => {
    const cache = preparedCache({ name: 'counted', max: 10, maxSize: 1000 })
    for (const key of ['a', 'b', 'a']) cache.get('1', key, () => bytes(key))
    cache.find('1', 'b')
    cache.find('1', 'c')
    expect(cacheCounts().get('counted')).toEqual({ capacity: 10, hits: 2, misses: 2 })
  })

  test('returns bodies that are larger than the cache', () => {
    const cache = preparedCache({ name: 'test', max: 10, maxSize: 2 })
    expect(cache.get('1', 'page', () => bytes('large')).body.toString()).toBe('large')
  })
})

describe('memoizeLatest', () => {
  test('computes again only for another state', () => {
    let made = 0
    const read = memoizeLatest((source: string) => `${source}${++made}`)
    expect([read('a', 'x'), read('a', 'y'), read('b', 'y')]).toEqual(['x1', 'x1', 'y2'])
  })
})
