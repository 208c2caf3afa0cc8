import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test/folder.ts'
import { createAddresses } from './addresses.ts'
import { connectDirectly, RefusedError, type Connect } from './connect.ts'
import { connectThrough, serveEgress } from './egress.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string
let rules: Connect | null = null
const accepted: Socket[] = []
const upstream = createServer((socket) => {
  accepted.push(socket)
  socket.on('error', () => {})
  // Sends at the same moment as the egress responds.
  socket.end('hello')
})
let port = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'egress.sock')
  await serveEgress(path, () => rules)
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  port = (upstream.address() as AddressInfo).port
})

afterAll(async () => {
  upstream.close()
  await folder[Symbol.asyncDispose]()
})

const allow = (...targets: string[]) => (rules = connectDirectly(createAddresses(targets, [])))

test('connects to nothing before the rules are known, or against them', async () => {
  const open = connectThrough(path)
  rules = null
  await expect(open({ host: '127.0.0.1', port })).rejects.toThrow(RefusedError)
  allow()
  for (const host of ['127.0.0.1', 'localhost', '::1', '169.254.169.254', '10.0.0.1'])
    await expect(open({ host, port }), host).rejects.toThrow(RefusedError)
  expect(accepted).toEqual([])
})

test('connects to an allowed address without losing its first bytes', async () => {
  allow(`127.0.0.1:${port}`)
  const socket = await connectThrough(path)({ host: '127.0.0.1', port })
  expect(await text(socket)).toBe('hello')
})

test('an unreachable host is not reported as a refusal', async () => {
  allow('127.0.0.1')
  await expect(connectThrough(path)({ host: '127.0.0.1', port: 1 })).rejects.toThrow('no connection')
})

test.each([
  ['no JSON', 'GET / HTTP/1.1\n'],
  ['a port that is none', '{"host":"127.0.0.1","port":65536}\n'],
  ['a line without end', 'x'.repeat(2000)],
  ['bytes', Buffer.from([0xff, 0xfe, 10])],
])('%s gets no connection', async (_name, request) => {
  const before = accepted.length
  allow('127.0.0.1')
  const socket = connect(path)
  socket.on('error', () => {})
  socket.write(request)
  expect(await text(socket)).toBe('failed\n')
  expect(accepted).toHaveLength(before)
})
