import { describe, expect, test } from 'vitest'
import { keepLatest, preparedCache } from './prepared-cache.ts'
import { preparedBytes } from './prepared.ts'

const bytes = (text: string) => preparedBytes(Buffer.from(text))

describe('prepared answers', () => {
  test('are rendered once per state and key, and shared', () => {
    const cache = preparedCache({ maxEntries: 10, maxSize: 1000 })
    const first = cache.get('1', 'page', () => bytes('one'))
    expect(cache.get('1', 'page', () => bytes('never'))).toBe(first)
    expect(cache.get('1', 'other', () => bytes('two')).body.toString()).toBe('two')
  })

  test('are dropped when the state moves on', () => {
    const cache = preparedCache({ maxEntries: 10, maxSize: 1000 })
    cache.get('1', 'page', () => bytes('old'))
    expect(cache.get('2', 'page', () => bytes('new')).body.toString()).toBe('new')
    expect(cache.get('1', 'page', () => bytes('again')).body.toString()).toBe('again')
  })

  test('that are larger than the cache are answered all the same', () => {
    const cache = preparedCache({ maxEntries: 10, maxSize: 2 })
    expect(cache.get('1', 'page', () => bytes('large')).body.toString()).toBe('large')
  })
})

describe('the latest value', () => {
  test('is made again only for another state', () => {
    let made = 0
    const read = keepLatest((source: string) => `${source}${++made}`)
    expect([read('a', 'x'), read('a', 'y'), read('b', 'y')]).toEqual(['x1', 'x1', 'y2'])
  })
})
