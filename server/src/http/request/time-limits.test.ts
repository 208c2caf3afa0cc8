import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { reply, route } from '@pennant/contract/route.ts'
import { recordLog } from '../../../test/log.ts'
import { createBodyBudget } from './body-budget.ts'
import { on, type Endpoint } from '../handler.ts'
import { readForm } from './multipart.ts'
import { createMemoryBuckets } from '../../lib/buckets.ts'
import { createLimiter } from './limiter.ts'
import { createProxyTrust } from './proxy-trust.ts'
import { createServer, type HttpServer } from '../server.ts'
import { DEFAULT_TIME_LIMITS } from './time-limits.ts'

const goodThing = reply(200, 'goodThing', 'A thing.')
const common = {
  method: 'POST',
  summary: 'A thing.',
  auth: 'public',
  limits: [],
  replies: [goodThing],
} as const
const endpoints = [
  on(route({ ...common, path: '/api/v2/things', body: z.object({}) }), () => goodThing()),
  on(route({ ...common, path: '/api/v2/forms', form: z.object({}) }), async ({ incoming }) => {
    const drop = async ({ content }: { content: NodeJS.ReadableStream }) => (content.resume(), null)
    return ((await readForm(incoming, { cap: 1000, onFile: drop })) as never) ?? goodThing()
  }),
  on(route({ ...common, path: '/api/v2/pokes' }), () => goodThing()),
]

let app: HttpServer | undefined
const { log, lines } = recordLog()
afterEach(() => app?.close())

async function start(idleMs = 10_000, more: readonly Endpoint[] = []): Promise<number> {
  app = createServer({
    endpoints: [...endpoints, ...more],
    files: [],
    idleTimeoutS: 65,
    now: () => 0,
    eventWindow: () => ({ startTime: 0, endTime: 1 }),
    authenticate: async () => null,
    isService: null,
    maySee: () => true,
    limiter: createLimiter({ buckets: createMemoryBuckets({ now: () => 0 }), now: () => 0 }),
    captcha: { isProtected: () => false, verify: async () => true },
    maxima: { maxLimit: 1, maxOffset: 1, graphMaxTeams: 1, graphWithListLimit: 1 },
    bodyBudget: createBodyBudget(1024 * 1024),
    bodyCaps: {
      json: 1000,
      account: 1000,
      admin: 1000,
      webhook: 1000,
      upload: 1000,
      jsonUpload: 1000,
      avatar: 1000,
    },
    proxy: createProxyTrust({ cloudflare: false, trust: false }),
    log,
    onReply: () => {},
    timeLimits: {
      headersMs: 500,
      discardMs: 100,
      body: () => ({ startMs: 500, minBytesPerS: 16 * 1024, maxMs: 1000, stallMs: 500 }),
      checkMs: 20,
      idleMs,
    },
  })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

/** Sends the beginning, then byte by byte until the server closes the connection. */
async function drip(port: number, beginning: string): Promise<{ received: string; sent: number }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).write(beginning)
  let sent = 0
  const timer = setInterval(() => {
    sent += socket.write('a') ? 1 : 0
  }, 10)
  const received = await textUntilClosed(socket)
  clearInterval(timer)
  return { received, sent }
}

function textUntilClosed(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}

const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
const form = 'Content-Type: multipart/form-data; boundary=b'

test.each([
  ['of JSON', head('/api/v2/things', 'Content-Length: 900')],
  ['in chunks', `${head('/api/v2/things', 'Transfer-Encoding: chunked')}384\r\n`],
  ['of a form', head('/api/v2/forms', form, 'Content-Length: 900')],
])(
  'closes the connection of a body %s that arrives byte by byte without delaying other requests',
  async (_name, beginning) => {
    const port = await start()
    const slow = drip(port, beginning)
    const other = await fetch(`http://127.0.0.1:${port}/api/v2/things`, { method: 'POST', body: '{}' })
    expect(await other.json()).toMatchObject({ kind: 'goodThing' })
    const { received, sent } = await slow
    expect(received).toBe('')
    expect(sent).toBeLessThan(900)
    expect(lines).toEqual([])
  },
)

test('rejects headers that arrive byte by byte', async () => {
  const { received } = await drip(await start(), 'POST /api/v2/things HTTP/1.1\r\nHost: x\r\nX: ')
  expect(received).toMatch(/^HTTP\/1.1 400 [^]*"badBody"/)
})

test('does not wait for a body that no route reads', async () => {
  const port = await start()
  for (const path of ['/api/v2/pokes', '/api/v2/nothing', '/nothing']) {
    const { received } = await drip(port, head(path, 'Content-Length: 900'))
    expect(received, path).toContain('connection: close')
  }
})

test('a connection is not idle while its request is handled', async () => {
  let timedOut: () => void
  const silence = new Promise<void>((resolve) => (timedOut = resolve))
  const longWork = on(route({ ...common, path: '/api/v2/work' }), async () => {
    await silence
    return goodThing()
  })
  const port = await start(500, [longWork])
  app?.server.on('connection', (socket) => socket.once('timeout', () => timedOut()))
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/work`, { method: 'POST' })
  expect(await response.json()).toMatchObject({ kind: 'goodThing' })
})

test('closes the connection of a client that does not read its response', async () => {
  const large = reply(200, 'goodThing', 'x'.repeat(32 * 1024 * 1024))
  const endless = on(route({ ...common, path: '/api/v2/large', replies: [large] }), () => large())
  const socket = connect(await start(50, [endless]), '127.0.0.1')
  const closed = new Promise<void>((resolve) =>
    app?.server.on('connection', (accepted) => accepted.once('close', () => resolve())),
  )
  socket.on('error', () => {}).write(head('/api/v2/large', 'Content-Length: 0'))
  await closed
  socket.destroy()
})

test('the default limits grow with the size, and JSON gets at most a minute', () => {
  const mib = 1024 * 1024
  expect(DEFAULT_TIME_LIMITS.body(16 * 1024, false)).toMatchObject({ startMs: 10_000, maxMs: 11_000 })
  expect(DEFAULT_TIME_LIMITS.body(mib / 2, false)).toMatchObject({ maxMs: 42_000 })
  expect(DEFAULT_TIME_LIMITS.body(8 * mib, false)).toMatchObject({ maxMs: 60_000 })
  expect(DEFAULT_TIME_LIMITS.body(8 * mib, true)).toMatchObject({ maxMs: 522_000, stallMs: 15_000 })
})
