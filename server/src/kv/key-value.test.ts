import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { keepLog } from '../../test/log.ts'
import type { KeyValue } from '../lib/key-value.ts'
import { openKeyValue } from './open.ts'
import { openRedis } from './redis.ts'

const redisUrl = process.env['PENNANT_TEST_REDIS_URL']

async function openWithoutRedis() {
  const database = await openTestDatabase()
  const kv = await openKeyValue({ db: database.db, now: Date.now, log: keepLog().log })
  return { kv, end: async () => await database[Symbol.asyncDispose]() }
}

async function openWithRedis() {
  const kv = await openRedis({
    url: redisUrl ?? '',
    log: keepLog().log,
    now: Date.now,
    keyPrefix: `pennant-test:${randomUUID()}:`,
  })
  return { kv, end: async () => {} }
}

const implementations = [
  { name: 'memory and database', open: openWithoutRedis, skip: false },
  { name: 'Redis', open: openWithRedis, skip: !redisUrl },
]

for (const { name, open, skip } of implementations) {
  describe.skipIf(skip)(name, () => {
    let kv: KeyValue
    let end: () => Promise<void>
    beforeAll(async () => {
      ;({ kv, end } = await open())
    })
    afterAll(async () => {
      await kv.close()
      await end()
    })

    test('answers a ping', async () => {
      await kv.ping()
    })

    test('of 64 takes at once exactly the burst gets a token, and the others a whole wait of at least 1', async () => {
      const size = { burst: 5, windowMs: 600_000 }
      const waits = await Promise.all(Array.from({ length: 64 }, () => kv.buckets.take('parallel', size)))
      const refused = waits.filter((wait) => wait > 0)
      expect(refused).toHaveLength(59)
      for (const wait of refused) {
        expect(Number.isInteger(wait)).toBe(true)
        expect(wait).toBeGreaterThan(110_000)
        expect(wait).toBeLessThanOrEqual(120_000)
      }
    })

    test('a refused take takes nothing: after the wait that was told there is a token', async () => {
      const size = { burst: 2, windowMs: 200 }
      expect(await kv.buckets.take('refill', size)).toBe(0)
      expect(await kv.buckets.take('refill', size)).toBe(0)
      let wait = 0
      for (let i = 0; i < 5; i += 1) wait = Math.max(wait, await kv.buckets.take('refill', size))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(100)
      await delay(wait + 2)
      expect(await kv.buckets.take('refill', size)).toBe(0)
    })

    test('a marker is found until it is taken, by exactly one of 32', async () => {
      await kv.markers.set('once', 'value', 60_000)
      expect(await kv.markers.find('once')).toBe('value')
      const taken = await Promise.all(Array.from({ length: 32 }, () => kv.markers.take('once')))
      expect(taken.filter((value) => value === 'value')).toHaveLength(1)
      expect(taken.filter((value) => value === null)).toHaveLength(31)
      expect(await kv.markers.find('once')).toBeNull()
    })

    test('a later value replaces an earlier one, and a removed one is gone', async () => {
      await kv.markers.set('twice', 'first', 60_000)
      await kv.markers.set('twice', 'second', 60_000)
      expect(await kv.markers.find('twice')).toBe('second')
      await kv.markers.remove('twice')
      expect(await kv.markers.take('twice')).toBeNull()
    })

    test('a key is claimed by exactly one of 32, until it expires', async () => {
      const claims = await Promise.all(
        Array.from({ length: 32 }, (_, i) => kv.markers.claim('claim', String(i), 60_000)),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await kv.markers.find('claim')).toBe(String(claims.indexOf(true)))

      expect(await kv.markers.claim('short', 'first', 20)).toBe(true)
      await delay(30)
      expect(await kv.markers.claim('short', 'second', 60_000)).toBe(true)
      expect(await kv.markers.find('short')).toBe('second')
    })

    test('an expired marker is never found nor taken', async () => {
      await kv.markers.set('expired', 'value', 20)
      await delay(30)
      expect(await kv.markers.find('expired')).toBeNull()
      expect(await kv.markers.take('expired')).toBeNull()
    })

    test('a published channel wakes its listeners until they leave, and no others', async () => {
      const channel = `test:${randomUUID()}`
      const heard: string[] = []
      const leave = kv.bus.subscribe(channel, () => heard.push('left'))
      kv.bus.subscribe(`${channel}:other`, () => heard.push('other'))
      leave()
      await new Promise<void>((resolve) => {
        // A store hears of a subscription a moment later: publish until it is known.
        const timer = setInterval(() => void kv.bus.publish(channel), 5)
        const leaveLater = kv.bus.subscribe(channel, () => {
          clearInterval(timer)
          leaveLater()
          resolve()
        })
      })
      expect(heard).toEqual([])
    })
  })
}
