import { expect, test } from 'vitest'
import { createMemoryBuckets } from '../../lib/buckets.ts'
import { createLimiter } from '../request/limiter.ts'
import { pageCache } from './page-cache.ts'
import { preparedBytes } from './prepared.ts'

const BOUNDS = { name: 'test', max: 20, maxSize: 10_000 }

/** A cache that counts renderings. */
function openCache() {
  const now = () => 0
  const cache = pageCache(BOUNDS, createLimiter({ buckets: createMemoryBuckets({ now }), now }))
  const rendered: string[] = []
  const get = async (
    state: string,
    limit: number,
    { offset = 0, ip = '192.0.2.1', isFiltered = false } = {},
  ) => {
    const key = `${limit} ${offset} ${isFiltered}`
    const page = await cache.get({ state, key }, { limit, offset, isFiltered, ip }, () => {
      rendered.push(key)
      return preparedBytes(Buffer.from(`${state} ${key}`))
    })
    return 'body' in page ? page.body.toString() : page.reply.kind
  }
  return { get, rendered }
}

test('a scan over offsets evicts no first page and ends in badRateLimit', async () => {
  const { get, rendered } = openCache()
  await get('1', 100)
  for (let offset = 1; offset <= 100; offset += 1) {
    expect(await get('1', 100, { offset })).toBe(`1 100 ${offset} false`)
  }
  expect(await get('1', 100, { offset: 101 })).toBe('badRateLimit')
  expect(await get('1', 100, { offset: 101, ip: '192.0.2.2' })).toBe('1 100 101 false')
  rendered.length = 0
  expect(await get('1', 100)).toBe('1 100 0 false')
  expect(rendered).toEqual([])
})

test('a scan over single rows, which have no rate limit, evicts no other page', async () => {
  const { get, rendered } = openCache()
  await get('1', 100, { offset: 5 })
  for (let offset = 0; offset < 200; offset += 1) await get('1', 1, { offset, ip: '192.0.2.2' })
  rendered.length = 0
  expect(await get('1', 100, { offset: 5 })).toBe('1 100 5 false')
  expect(rendered).toEqual([])
})

test('many addresses together are limited too, but not first pages and single rows', async () => {
  const { get } = openCache()
  const kinds = new Set<string>()
  for (let offset = 1; offset <= 500; offset += 1) {
    const page = await get('1', 100, { offset, ip: `198.51.${offset >> 8}.${offset & 255}` })
    if (offset > 400) kinds.add(page)
  }
  expect([...kinds]).toEqual(['badRateLimit'])
  expect(await get('1', 50)).toBe('1 50 0 false')
  expect(await get('1', 1, { offset: 77 })).toBe('1 1 77 false')
})

test('filtered pages cost a token whatever their size', async () => {
  const { get } = openCache()
  for (let offset = 0; offset < 100; offset += 1) await get('1', 1, { offset, isFiltered: true })
  expect(await get('1', 1, { offset: 100, isFiltered: true })).toBe('badRateLimit')
  expect(await get('1', 100, { isFiltered: true })).toBe('badRateLimit')
})

test('a cached page costs no token until the state changes', async () => {
  const { get, rendered } = openCache()
  for (let at = 0; at < 200; at += 1) expect(await get('1', 100, { offset: 5 })).toBe('1 100 5 false')
  expect(rendered).toHaveLength(1)
  expect(await get('2', 100, { offset: 5 })).toBe('2 100 5 false')
})
