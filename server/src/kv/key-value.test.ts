import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import type { KeyValue } from '../lib/key-value.ts'
import { openKeyValue } from './open.ts'
import { openRedis } from './redis.ts'

const redisUrl = process.env['PENNANT_TEST_REDIS_URL']

async function openWithoutRedis() {
  const database = await openTestDatabase()
  const kv = await openKeyValue({ db: database.db, now: Date.now, log: recordLog().log })
  return { kv, end: async () => await database[Symbol.asyncDispose]() }
}

async function openWithRedis() {
  const kv = await openRedis({
    url: redisUrl ?? '',
    log: recordLog().log,
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

    test('responds to a ping', async () => {
      await kv.ping()
    })

    test('gives tokens to exactly `burst` of 64 concurrent takes and a whole number of milliseconds to the others', async () => {
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

    test('a refused take costs no token: there is one after the returned wait', async () => {
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

    test('exactly one of 32 concurrent takes gets a marker', async () => {
      await kv.markers.set('once', 'value', 60_000)
      expect(await kv.markers.find('once')).toBe('value')
      const taken = await Promise.all(Array.from({ length: 32 }, () => kv.markers.take('once')))
      expect(taken.filter((value) => value === 'value')).toHaveLength(1)
      expect(taken.filter((value) => value === null)).toHaveLength(31)
      expect(await kv.markers.find('once')).toBeNull()
    })

    test('set replaces the value, remove deletes it', async () => {
      await kv.markers.set('twice', 'first', 60_000)
      await kv.markers.set('twice', 'second', 60_000)
      expect(await kv.markers.find('twice')).toBe('second')
      await kv.markers.remove('twice')
      expect(await kv.markers.take('twice')).toBeNull()
    })

    test('exactly one of 32 concurrent claims succeeds, until the key expires', async () => {
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

    test('an expired marker is neither found nor taken', async () => {
      await kv.markers.set('expired', 'value', 20)
      await delay(30)
      expect(await kv.markers.find('expired')).toBeNull()
      expect(await kv.markers.take('expired')).toBeNull()
    })

    test('publish notifies the listeners of that channel until they unsubscribe', async () => {
      const channel = `test:${randomUUID()}`
      const unexpected: string[] = []
      const unsubscribe = kv.bus.subscribe(channel, () => unexpected.push('unsubscribed'))
      kv.bus.subscribe(`${channel}:other`, () => unexpected.push('other'))
      unsubscribe()
      await new Promise<void>((resolve) => {
        // Redis registers a subscription a moment later, so publish until it does.
        const timer = setInterval(() => void kv.bus.publish(channel), 5)
        const unsubscribeLater = kv.bus.subscribe(channel, () => {
          clearInterval(timer)
          unsubscribeLater()
          resolve()
        })
      })
      expect(unexpected).toEqual([])
    })
  })
}
