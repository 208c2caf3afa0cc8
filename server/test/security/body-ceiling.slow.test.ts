import { connect, type Socket } from 'node:net'
import { allRoutes } from '@pennant/contract/all.ts'
import { bodyCapOf } from '@pennant/contract/body-caps.ts'
import type { Route } from '@pennant/contract/route.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { botSecret } from '../bot-contest.ts'
import { startProbedServer, type ProbedServer } from '../probed-server.ts'

// The memory cost of request bodies, for every route of the contract that reads one; new routes are included
// automatically.

const KIB = 1024
/** Allowance for what open requests need besides their bodies and for growth of the process itself. */
const SLACK_BYTES = 2 * 1024 * KIB

/** Concurrent requests of each form, so that an excess per request is larger than the allowance. */
const COPIES = 8

let server: ProbedServer
beforeAll(async () => {
  server = await startProbedServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A body size below the route's limit. */
function sizeFor(route: Route): number {
  const cap = route.body ? bodyCapOf(route) : Infinity
  return Math.min(cap - KIB, route.bodyCap === 'account' ? 15 * KIB : 64 * KIB)
}

function headOf({ method, path, auth, form }: Route): string {
  const token = auth === 'service' ? botSecret : server.adminToken
  return [
    `${method} ${path.replace(/:\w+/g, 'x')} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `X-SVC-Timestamp: ${Date.now()}`,
    `X-SVC-Signature: sha256=${'0'.repeat(64)}`,
    ...(form ? ['Content-Type: multipart/form-data; boundary=b'] : []),
    '',
  ].join('\r\n')
}

const START_OF_FORM = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'

const asChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The request without the end of its body, in each framing. */
const CHUNKINGS: Readonly<Record<string, (body: string) => string>> = {
  'in one piece': (body) => `Content-Length: ${body.length + 1}\r\n\r\n${body}`,
  // The server rejects bodies whose average chunk is smaller.
  'in the smallest chunks': (body) =>
    `Transfer-Encoding: chunked\r\n\r\n${(body.match(/[^]{1,33}/g) ?? []).map(asChunk).join('')}`,
  'in chunks of odd sizes': (body) => {
    const chunks: string[] = []
    for (let at = 0, size = 1; at < body.length; at += size, size = ((size * 7) % 4093) + 1)
      chunks.push(asChunk(body.slice(at, at + size)))
    return `Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}`
  },
}

const reading = allRoutes.filter(({ body, form }) => body || form)

describe.each(reading.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'a body for %s',
  (_name, route) => {
    test('uses at most twice its bytes and a block, however it is chunked', async () => {
      const size = sizeFor(route)
      const start = route.form ? START_OF_FORM : '{"x":"'
      const body = start + 'a'.repeat(size - start.length)
      const before = await server.measure()
      const all = Object.values(CHUNKINGS).map((chunked) => headOf(route) + chunked(body))
      const sent = Array.from({ length: COPIES }, () => all).flat()
      const sockets = sent.map(send)
      const wireBytes = sent.reduce((sum, { length }) => sum + length, 0)
      await expect.poll(async () => (await server.measure()).readBytes).toBe(before.readBytes + wireBytes)
      const { heldBytes } = await server.measure()
      const perBody = route.form ? 128 * KIB : 2 * size + 16 * KIB
      expect(heldBytes - before.heldBytes).toBeLessThan(sent.length * perBody + SLACK_BYTES)
      for (const socket of sockets) socket.destroy()
      await expect.poll(async () => (await server.measure()).readBytes).toBe(before.readBytes)
    })
  },
)

function send(text: string): Socket {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  socket.write(text)
  return socket
}
