import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { keepLog } from '../../test/log.ts'
import { UnavailableError } from '../lib/errors.ts'
import { openRedis } from './redis.ts'

const redisUrl = process.env['PENNANT_TEST_REDIS_URL']
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A way to Redis that can be cut, and that can go silent. */
async function openWay() {
  const target = new URL(redisUrl ?? 'redis://127.0.0.1:6379')
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  let asked = 0
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(target.port || 6379), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (data) => {
      far.write(data)
      asked += 1
    })
    far.on('data', (data) => isSilent || near.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const way = {
    asked: () => asked,
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    silence() {
      isSilent = true
    },
    mend() {
      isCut = false
      isSilent = false
      for (const socket of sockets) socket.destroy()
    },
  }
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return way
}

async function openStore() {
  const way = await openWay()
  const { log, lines } = keepLog()
  const kv = await openRedis({ url: way.url, log, now: Date.now, keyPrefix: `test:${crypto.randomUUID()}:` })
  ends.push(() => kv.close())
  const told = () => lines.filter(({ level }) => level !== 'debug').map(({ level }) => level)
  return { way, kv, told }
}

const size = { burst: 2, windowMs: 60_000 }

describe.skipIf(!redisUrl)('while Redis is away', () => {
  test('rate limits go on in the process, the log says so once, and Redis is used again', async () => {
    const { way, kv, told } = await openStore()
    expect(await kv.buckets.take('a', size)).toBe(0)
    way.cut()
    const waits = [
      await kv.buckets.take('a', size),
      await kv.buckets.take('a', size),
      await kv.buckets.take('a', size),
    ]
    expect(waits.slice(0, 2)).toEqual([0, 0])
    expect(waits[2]).toBeGreaterThan(1)
    expect(told()).toEqual(['warn'])

    way.mend()
    await eventually(() => kv.ping())
    // One token of the shared bucket is left from before the outage.
    await eventually(async () => expect(await kv.buckets.take('a', size)).toBe(0))
    expect(await kv.buckets.take('a', size)).toBeGreaterThan(1)
    expect(told()).toEqual(['warn', 'info'])
  })

  test('markers and pings are refused as unavailable, and a wake-up is dropped', async () => {
    const { way, kv } = await openStore()
    way.cut()
    await expect(kv.markers.take('a')).rejects.toThrow(UnavailableError)
    await expect(kv.markers.claim('a', 'b', 1000)).rejects.toThrow(UnavailableError)
    await expect(kv.ping()).rejects.toThrow(UnavailableError)
    await kv.bus.publish('channel')
  })

  test('a store that swallows commands holds up one take, not each', async () => {
    const { way, kv, told } = await openStore()
    way.silence()
    expect(await kv.buckets.take('a', size)).toBe(0)
    const asked = way.asked()
    expect(await kv.buckets.take('a', size)).toBe(0)
    expect(await kv.buckets.take('a', size)).toBeGreaterThan(1)
    expect(way.asked()).toBe(asked)
    expect(told()).toEqual(['warn'])
  })

  test('a process starts without it, and listeners hear once it is there', async () => {
    const way = await openWay()
    way.cut()
    const kv = await openRedis({ url: way.url, log: keepLog().log, now: Date.now })
    ends.push(() => kv.close())
    const channel = `test:${crypto.randomUUID()}`
    let heard = false
    kv.bus.subscribe(channel, () => (heard = true))
    expect(await kv.buckets.take('a', size)).toBe(0)
    way.mend()
    await eventually(async () => {
      await kv.bus.publish(channel)
      expect(heard).toBe(true)
    })
  })
})
