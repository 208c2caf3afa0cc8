import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { bareServer } from '../../../test/bare-server.ts'
import { acceptMore, listenersOf } from './acceptors.ts'
import { drain } from '../drain.ts'
import { textFile } from '../response/files.ts'
import type { HttpServer } from '../server.ts'

const CLIENTS = 64
const opened: Socket[] = []
let app: HttpServer
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await app.close()
})

async function start() {
  app = bareServer({ files: [{ path: '/', respond: () => textFile({ text: 'hello' }) }] })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  opened.push(socket)
  return socket
}

/** The system completes connections without the server, so all wait when the first turn begins. */
async function turnsToAccept(port: number): Promise<number> {
  let accepted = 0
  const count = () => (accepted += 1)
  app.server.on('connection', count)
  const clients = Array.from({ length: CLIENTS }, () => open(port))
  await Promise.all(clients.map((client) => once(client, 'connect')))
  let turns = 0
  for (; accepted < CLIENTS; turns += 1) await setImmediate()
  app.server.off('connection', count)
  return turns
}

/** Resolves with the status of a request, or `closed`. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const closed = once(socket, 'close').then(() => 'closed')
  return Promise.race([closed, once(socket, 'data').then(([bytes]) => String(bytes).slice(9, 12))])
}

test('a turn of the event loop accepts many connections, which are served like others', async () => {
  const port = await start()
  const before = await turnsToAccept(port)
  expect(await acceptMore(app.server, 511)).toBe(16)
  expect(await turnsToAccept(port)).toBeLessThan(before / 2)
  expect(await Promise.all(opened.map(ask))).toEqual(opened.map(() => '200'))
})

test('all listeners close when the server does, and a shutdown waits for the connections of all', async () => {
  const port = await start()
  await acceptMore(app.server, 511)
  const clients = Array.from({ length: CLIENTS }, () => open(port))
  await Promise.all(clients.map((client) => once(client, 'connect')))
  const ends = clients.map((client) => once(client, 'close'))
  const draining = drain(app)
  expect(await Promise.all(clients.map(ask))).toEqual(clients.map(() => '200'))
  await draining
  await Promise.all(ends)
  expect(listenersOf(app.server).filter(({ listening }) => listening)).toEqual([])
  await expect(once(open(port), 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('without a helper process the server listens as before', async () => {
  const port = await start()
  const { execPath } = process
  process.execPath = '/nowhere/node'
  await expect(acceptMore(app.server, 511)).rejects.toThrow('ENOENT')
  process.execPath = execPath
  expect(listenersOf(app.server)).toHaveLength(1)
  expect(await ask(open(port))).toBe('200')
})
