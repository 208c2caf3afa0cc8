import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { UnavailableError } from '../lib/errors.ts'
import { failureOf } from './failures.ts'

/** The error of a write after the socket was closed in this way. */
async function writeAfter(close: (socket: Socket) => void): Promise<unknown> {
  const server = createServer((socket) => socket.resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  close(socket)
  const error = await new Promise((resolve) => socket.write('select 1', resolve))
  socket.destroy()
  server.close()
  return error
}

test.each([
  { name: 'destroyed', close: (socket: Socket) => void socket.destroy() },
  { name: 'ended', close: (socket: Socket) => void socket.end() },
])('a write to a socket that was $name is an outage, not an internal error', async ({ close }) => {
  const error = await writeAfter(close)
  expect(error).toHaveProperty('code', expect.stringMatching(/^(ERR_STREAM|EPIPE)/))
  expect(failureOf(error)).toBeInstanceOf(UnavailableError)
})

test('an error of a statement is returned as it is', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (flag)=(secret)' })
  expect(failureOf(error)).toBe(error)
  expect(error).not.toHaveProperty('detail')
})
