import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLatencies } from './latencies.ts'
import { failuresOf, type Plan } from './plan.ts'
import { run } from './run.ts'

async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function play(listener: RequestListener, plan: Partial<Plan>) {
  await using server = await startServer(listener)
  const base = { connections: 2, seconds: 60, isOnce: true, perSecond: null, requests: [] }
  return await run({ ...base, ...plan, url: server.url }, async () => {})
}

test('sends each request once and counts the statuses', async () => {
  const seen: string[] = []
  const requests = ['/a', '/b', '/missing', '/c'].map((path) => ({ path, headers: { authorization: 'x' } }))
  const measured = await play(
    (request, response) => {
      seen.push(`${request.headers.authorization} ${request.url}`)
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-length': 5 }).end('12345')
    },
    { requests },
  )
  expect(seen.toSorted()).toEqual(['x /a', 'x /b', 'x /c', 'x /missing'])
  expect(measured).toMatchObject({ count: 4, statuses: { 200: 3, 404: 1 }, broken: 0, unsent: 0 })
  expect(failuresOf(measured, /^2/)).toBe(1)
})

test('sends bodies, and reads responses of any size', async () => {
  const bodies: string[] = []
  const requests = [0, 1, 70_000, 300_000].map((size) => ({
    method: 'POST' as const,
    path: '/',
    body: JSON.stringify({ size }),
  }))
  const measured = await play(
    async (request, response) => {
      let body = ''
      for await (const piece of request) body += String(piece)
      bodies.push(body)
      const { size } = JSON.parse(body) as { size: number }
      response.writeHead(200, { 'content-length': size }).end(Buffer.alloc(size))
    },
    { requests, connections: 1 },
  )
  expect(bodies).toEqual(requests.map(({ body }) => body))
  expect(measured).toMatchObject({ count: 4, broken: 0 })
})

test('counts a connection that ends before its response, and goes on with another one', async () => {
  const measured = await play(
    (request, response) => {
      if (request.url === '/broken') request.socket.destroy()
      else response.writeHead(200, { 'content-length': 0 }).end()
    },
    { requests: ['/1', '/broken', '/2'].map((path) => ({ path })), connections: 1 },
  )
  expect(measured).toMatchObject({ count: 2, broken: 1 })
})

test('an open loop counts from the time when a request was due', async () => {
  const HELD_MS = 60
  let isFirst = true
  const measured = await play(
    (_, response) => {
      const answer = () => response.writeHead(200, { 'content-length': 0 }).end()
      if (isFirst) setTimeout(answer, HELD_MS)
      else answer()
      isFirst = false
    },
    { requests: Array.from({ length: 10 }, () => ({ path: '/' })), connections: 1, perSecond: 1000 },
  )
  expect(measured.count).toBe(10)
  // All of them were due within 10 ms, and waited for the first one.
  expect(measured.p50Ms).toBeGreaterThan(HELD_MS - 15)
})

test('measures on the connections of the warm-up, after the first response of each', async () => {
  const ports = new Set<number | undefined>()
  const requests = Array.from({ length: 3 }, (_, n) => ({ path: `/${n}` }))
  const plan = { requests, isOnce: false, connections: 20, warmUpSeconds: 0.1, seconds: 0.2 }
  const measured = await play(({ socket }, response) => {
    const status = ports.has(socket.remotePort) ? 200 : 201
    ports.add(socket.remotePort)
    const answer = () => response.writeHead(status, { 'content-length': 0 }).end()
    // The first ones take longer than the warm-up.
    if (status === 200) answer()
    else setTimeout(answer, 300)
  }, plan)
  expect(ports.size).toBe(plan.connections)
  expect(Object.keys(measured.statuses)).toEqual(['200'])
  expect(measured.count).toBeGreaterThan(0)
})

test('quantiles are exact to one percent', () => {
  const latencies = createLatencies()
  expect(latencies.quantile(0.5)).toBeNaN()
  for (let ms = 1; ms <= 1000; ms += 1) latencies.add(ms)
  expect(latencies.quantile(0.5) / 500).toBeCloseTo(1, 1)
  expect(latencies.quantile(0.99) / 990).toBeCloseTo(1, 1)
  expect(latencies.quantile(1)).toBeLessThanOrEqual(1000)
  expect(latencies.max()).toBe(1000)
})
