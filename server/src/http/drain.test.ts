import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { reply, route } from '@pennant/contract/route.ts'
import { bareServer } from '../../test/bare-server.ts'
import { drain } from './drain.ts'
import { textFile } from './response/files.ts'
import { on } from './handler.ts'

const goodThing = reply(200, 'goodThing', 'A thing.')
const thing = route({
  method: 'POST',
  path: '/api/v2/things',
  summary: 'A thing.',
  auth: 'public',
  limits: [],
  body: z.object({}),
  replies: [goodThing],
})

async function start() {
  const app = bareServer({
    endpoints: [on(thing, () => goodThing())],
    files: [{ path: '/', respond: () => textFile({ text: 'hello' }) }],
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return { app, port: Number(url.port) }
}

test('a client that stalls or stays idle does not delay the shutdown', async () => {
  const { app, port } = await start()
  const stalled = connect(port, '127.0.0.1')
  const isWaiting = once(app.server, 'request')
  stalled.write(`POST ${thing.path} HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\nx`)
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
