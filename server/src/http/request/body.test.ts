import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBodyBudget, type BodyBudget } from './body-budget.ts'
import { parseJson, readBody, type ReadOptions } from './body.ts'

const KIB = 1024
const server = createServer()
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close().closeAllConnections())

interface Outcome {
  readonly kind: string
  readonly bytes: Buffer
  /** Peak of the memory reserved for this body. */
  readonly maxBytes: number
}

interface SendOptions {
  readonly budget?: BodyBudget
  readonly headers?: OutgoingHttpHeaders
}

/** Sends each chunk as an HTTP chunk, unless `headers` has a length, and reads the body on the server. */
async function send(
  chunks: readonly Buffer[],
  options: ReadOptions,
  { budget = createBodyBudget(64 * 1024 * KIB), headers = {} }: SendOptions = {},
): Promise<Outcome> {
  const sending = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }).on('error', () => {})
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>
  for (const chunk of chunks) sending.write(chunk)
  sending.end()
  const [raw] = await arrived
  const account = budget.open(null)
  let maxBytes = 0
  const reserve = (bytes: number) => {
    account.reserve(bytes)
    maxBytes = Math.max(maxBytes, budget.heldBytes)
  }
  try {
    const read = await readBody({ raw, headers: raw.headers, account: { ...account, reserve } }, options)
    if ('refused' in read) return { kind: read.refused.reply.kind, bytes: Buffer.alloc(0), maxBytes }
    return { kind: 'read', bytes: read.body.join(), maxBytes }
  } catch (error) {
    return { kind: (error as Error).name, bytes: Buffer.alloc(0), maxBytes }
  } finally {
    account.close()
    sending.destroy()
  }
}

const sizes = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40_000 })), { maxLength: 30 })

test('a body uses at most twice its size plus one block, however it is chunked', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const chunks = lengths.map((length, at) => Buffer.alloc(length, at))
      const whole = Buffer.concat(chunks)
      const blocks: Buffer[] = []
      const onBlock = (block: Buffer) => void blocks.push(Buffer.from(block))
      const { kind, bytes, maxBytes } = await send(chunks, { cap: whole.length, onBlock })
      expect(kind).toBe('read')
      expect(bytes.equals(whole)).toBe(true)
      expect(Buffer.concat(blocks).equals(whole)).toBe(true)
      expect(maxBytes).toBeLessThanOrEqual(2 * whole.length + 16 * KIB)
    }),
    { numRuns: 30, seed: 20_300_502 },
  )
})

test('a small body in one piece takes no more memory than its size', async () => {
  const whole = Buffer.alloc(20, 'x')
  const options = { cap: KIB }
  const { bytes, maxBytes } = await send([whole], options, { headers: { 'content-length': 20 } })
  expect([bytes.equals(whole), maxBytes]).toEqual([true, 20])
})

test('small chunks are collected into blocks', async () => {
  const chunks = Array.from({ length: 1250 }, (_, at) => Buffer.alloc(32, at))
  const seen: Buffer[] = []
  const { bytes, maxBytes } = await send(chunks, {
    cap: 64 * KIB,
    onBlock: (block) => void seen.push(block),
  })
  expect(bytes.equals(Buffer.concat(chunks))).toBe(true)
  expect(seen.map(({ length }) => length)).toEqual([16_384, 16_384, 40_000 - 32_768])
  expect(maxBytes).toBeLessThanOrEqual(2 * 40_000 + 16 * KIB)
})

test('a body that is not stored is passed on block by block in one buffer', async () => {
  const buffers = new Set<ArrayBufferLike>()
  let size = 0
  const onBlock = (block: Buffer) => {
    buffers.add(block.buffer)
    size += block.length
  }
  const chunks = Array.from({ length: 20 }, () => Buffer.alloc(10_000))
  const { bytes } = await send(chunks, { cap: 1024 * KIB, isKept: false, onBlock })
  expect([size, buffers.size, bytes.length]).toEqual([200_000, 1, 0])
})

test('a body in very many one-byte chunks is aborted, a small one is not', async () => {
  const bytes = (length: number) => Array.from({ length }, () => Buffer.from('a'))
  expect((await send(bytes(1024), { cap: 64 * KIB })).kind).toBe('read')
  expect((await send(bytes(1025), { cap: 64 * KIB })).kind).toBe('AbortedError')
})

test('a body over its cap is rejected, with or without a length', async () => {
  const cap = 20_000
  expect((await send([Buffer.alloc(cap)], { cap })).kind).toBe('read')
  expect((await send([Buffer.alloc(cap + 1)], { cap })).kind).toBe('badBodySize')
  expect((await send([Buffer.alloc(cap), Buffer.alloc(1)], { cap })).kind).toBe('badBodySize')
})

test('a body over the budget is rejected, and its memory is released', async () => {
  const budget = createBodyBudget(50 * KIB)
  const chunks = [Buffer.alloc(20 * KIB), Buffer.alloc(20 * KIB)]
  expect((await send(chunks, { cap: 1024 * KIB }, { budget })).kind).toBe('BodyBudgetError')
  expect(budget.heldBytes).toBe(0)
})

test('rejects deeply nested JSON before parsing, and ignores brackets in strings', () => {
  const kindOf = (text: string | Buffer) => {
    const json = parseJson(Buffer.from(text))
    return 'refused' in json ? json.refused.reply.kind : 'value'
  }
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect([kindOf(nested(64)), kindOf(nested(65)), kindOf('[1')]).toEqual(['value', 'badBody', 'badJson'])
  const text = `${'[{'.repeat(200)}"\\`
  expect(parseJson(Buffer.from(JSON.stringify({ text, more: [text] })))).toEqual({
    value: { text, more: [text] },
  })
})
