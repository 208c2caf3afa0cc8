import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { recordLog } from '../../test/log.ts'
import { UnavailableError } from '../lib/errors.ts'
import { openRedis } from './redis.ts'

const redisUrl = process.env['PENNANT_TEST_REDIS_URL']
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A TCP proxy to Redis that can drop its connections or withhold responses. */
async function openProxy() {
  const target = new URL(redisUrl ?? 'redis://127.0.0.1:6379')
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  let commands = 0
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port || 6379), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (data) => {
      upstream.write(data)
      commands += 1
    })
    upstream.on('data', (data) => isSilent || client.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy = {
    commands: () => commands,
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    silence() {
      isSilent = true
    },
    restore() {
      isCut = false
      isSilent = false
      for (const socket of sockets) socket.destroy()
    },
  }
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return proxy
}

async function openStore() {
  const proxy = await openProxy()
  const { log, lines } = recordLog()
  const kv = await openRedis({
    url: proxy.url,
    log,
    now: Date.now,
    keyPrefix: `test:${crypto.randomUUID()}:`,
  })
  ends.push(() => kv.close())
  const logged = () => lines.filter(({ level }) => level !== 'debug').map(({ level }) => level)
  return { proxy, kv, logged }
}

const size = { burst: 2, windowMs: 60_000 }

describe.skipIf(!redisUrl)('while Redis is unreachable', () => {
  test('rate limits are per process, the outage is logged once, and Redis is used again afterwards', async () => {
    const { proxy, kv, logged } = await openStore()
    expect(await kv.buckets.take('a', size)).toBe(0)
    proxy.cut()
    const waits = [
      await kv.buckets.take('a', size),
      await kv.buckets.take('a', size),
      await kv.buckets.take('a', size),
    ]
    expect(waits.slice(0, 2)).toEqual([0, 0])
    expect(waits[2]).toBeGreaterThan(1)
    expect(logged()).toEqual(['warn'])

    proxy.restore()
    await eventually(() => kv.ping())
    // The shared bucket still has one token from before the outage.
    await eventually(async () => expect(await kv.buckets.take('a', size)).toBe(0))
    expect(await kv.buckets.take('a', size)).toBeGreaterThan(1)
    expect(logged()).toEqual(['warn', 'info'])
  })

  test('markers and pings throw UnavailableError, and published messages are dropped', async () => {
    const { proxy, kv } = await openStore()
    proxy.cut()
    await expect(kv.markers.take('a')).rejects.toThrow(UnavailableError)
    await expect(kv.markers.claim('a', 'b', 1000)).rejects.toThrow(UnavailableError)
    await expect(kv.ping()).rejects.toThrow(UnavailableError)
    await kv.bus.publish('channel')
  })

  test('only the first take waits for a Redis that does not respond', async () => {
    const { proxy, kv, logged } = await openStore()
    proxy.silence()
    expect(await kv.buckets.take('a', size)).toBe(0)
    const commands = proxy.commands()
    expect(await kv.buckets.take('a', size)).toBe(0)
    expect(await kv.buckets.take('a', size)).toBeGreaterThan(1)
    expect(proxy.commands()).toBe(commands)
    expect(logged()).toEqual(['warn'])
  })

  test('a process starts, and its subscriptions work once Redis is reachable', async () => {
    const proxy = await openProxy()
    proxy.cut()
    const kv = await openRedis({ url: proxy.url, log: recordLog().log, now: Date.now })
    ends.push(() => kv.close())
    const channel = `test:${crypto.randomUUID()}`
    let isNotified = false
    kv.bus.subscribe(channel, () => (isNotified = true))
    expect(await kv.buckets.take('a', size)).toBe(0)
    proxy.restore()
    await eventually(async () => {
      await kv.bus.publish(channel)
      expect(isNotified).toBe(true)
    })
  })
})
