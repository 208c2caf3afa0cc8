import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeConnectionsAfterResponse, drain } from './drain.ts'

async function start() {
  const app = Fastify()
  closeConnectionsAfterResponse(app, 1000)
  app.get('/', () => 'hello')
  app.post('/', () => 'never: the body does not come')
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return { app, port: Number(url.port) }
}

test('a client that stalls or stays idle does not delay the shutdown', async () => {
  const { app, port } = await start()
  const stalled = connect(port, '127.0.0.1')
  const isWaiting = once(app.server, 'request')
  stalled.write('POST / HTTP/1.1\r\nhost: here\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nx')
  await isWaiting
  const idle = connect(port, '127.0.0.1')
  idle.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  await once(idle, 'data')
  const ends = [stalled, idle].map((socket) =>
    once(
      socket.on('error', () => {}),
      'close',
    ),
  )
  await drain(app)
  await Promise.all(ends)
  expect(app.server.listening).toBe(false)
  await app.close()
})
