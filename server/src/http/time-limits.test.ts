import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { reply, route } from '@pennant/contract/route.ts'
import { keepLog } from '../../test/log.ts'
import { on } from './handler.ts'
import { readForm } from './multipart.ts'
import { createServer } from './server.ts'
import { usualTimeLimits } from './time-limits.ts'

const goodThing = reply(200, 'goodThing', 'A thing.')
const common = { method: 'POST', summary: 'A thing.', auth: 'public', replies: [goodThing] } as const
const endpoints = [
  on(route({ ...common, path: '/api/v2/things', body: z.object({}) }), () => goodThing()),
  on(route({ ...common, path: '/api/v2/forms', form: z.object({}) }), async ({ raw }) => {
    const drop = async ({ content }: { content: NodeJS.ReadableStream }) => (content.resume(), null)
    return ((await readForm(raw, { cap: 1000, onFile: drop })) as never) ?? goodThing()
  }),
  on(route({ ...common, path: '/api/v2/pokes' }), () => goodThing()),
]

let app: FastifyInstance | undefined
const { log, lines } = keepLog()
afterEach(() => app?.close())

async function start(): Promise<number> {
  app = createServer({
    endpoints,
    plugins: [],
    idleTimeoutS: 65,
    now: () => 0,
    eventWindow: () => ({ startTime: 0, endTime: 1 }),
    authenticate: async () => null,
    isService: null,
    captcha: { isProtected: () => false, verify: async () => true },
    maxima: { maxLimit: 1, maxOffset: 1, graphMaxTeams: 1, graphWithListLimit: 1 },
    bodyCaps: { json: 1000, admin: 1000, webhook: 1000, upload: 1000, jsonUpload: 1000, avatar: 1000 },
    proxy: { cloudflare: false, trust: false },
    log,
    onAnswer: () => {},
    timeLimits: { headMs: 100, bodyMs: () => 100, lookMs: 20 },
  })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

/** Sends the beginning, then one byte after the other until the server has had enough. */
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
  'a body %s that comes byte by byte ends the connection, and others do not wait',
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

test('a head that comes byte by byte is refused', async () => {
  const { received } = await drip(await start(), 'POST /api/v2/things HTTP/1.1\r\nHost: x\r\nX: ')
  expect(received).toMatch(/^HTTP\/1.1 400 [^]*"badBody"/)
})

test('a body that nobody reads is not waited for', async () => {
  const port = await start()
  for (const path of ['/api/v2/pokes', '/api/v2/nothing', '/nothing']) {
    const { received } = await drip(port, head(path, 'Content-Length: 900'))
    expect(received, path).toContain('connection: close')
  }
})

test('the usual limit grows with what may be sent', () => {
  expect(usualTimeLimits.bodyMs(1024 * 1024)).toBe(94_000)
  expect(usualTimeLimits.bodyMs(0)).toBe(30_000)
})

test('a body of any size has time that a timer can wait', () => {
  expect(usualTimeLimits.bodyMs(2 ** 20)).toBe(94_000)
  expect(usualTimeLimits.bodyMs(2 ** 50)).toBe(2_147_483_647)
})
