import { once } from 'node:events'
import { get } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { bareServer } from '../../../test/bare-server.ts'
import { recordLog } from '../../../test/log.ts'
import { exchange } from '../../../test/raw-exchange.ts'
import type { HttpServer } from '../server.ts'

let app: HttpServer | undefined
afterEach(() => app?.close())

/** Serves the stream at `/file`. */
async function start(body: Readable) {
  const { log, lines } = recordLog()
  const headers = ['content-type', 'text/plain', 'content-disposition', 'attachment']
  app = bareServer({ log, files: [{ path: '/file', respond: () => ({ status: 200, headers, body }) }] })
  return { url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/file`, lines }
}

test('a stream is sent as it comes', async () => {
  const { url } = await start(Readable.from(['one', 'two']))
  const got = await exchange(url)
  expect([got.status, got.body, got.headers['transfer-encoding']]).toEqual([200, 'onetwo', 'chunked'])
})

test('a stream without content is an empty response', async () => {
  const { url } = await start(Readable.from([]))
  expect(await exchange(url)).toMatchObject({ status: 200, body: '' })
})

test('HEAD reads no stream', async () => {
  const body = Readable.from(['one'])
  const { url } = await start(body)
  expect(await exchange(url, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  expect([body.destroyed, body.readableDidRead]).toEqual([true, false])
})

test('a stream that fails before its first bytes has a response that says so', async () => {
  const body = new Readable({ read: () => body.destroy(new Error('secret')) })
  const { url, lines } = await start(body)
  const got = await exchange(url)
  expect([got.status, JSON.parse(got.body)]).toMatchObject([500, { kind: 'errorInternal' }])
  expect(got.headers['content-disposition']).toBeUndefined()
  expect(lines.map(({ message }) => message)).toEqual(['request failed'])
})

test('the connection of a stream that fails later is closed', async () => {
  async function* broken() {
    yield 'one'
    throw new Error('secret')
  }
  const { url } = await start(Readable.from(broken()))
  await expect(exchange(url)).rejects.toThrow('aborted')
})

test('a stream that no one receives any more is ended', async () => {
  let isRead = () => {}
  const reads = new Promise<void>((resolve) => (isRead = resolve))
  const body = new Readable({ read: isRead })
  const { url } = await start(body)
  const asked = get(url).on('error', () => {})
  await reads
  asked.destroy()
  await once(body, 'close')
})
