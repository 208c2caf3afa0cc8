import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createConnectionLimits, type ConnectionOptions } from './connections.ts'

const opened: Socket[] = []
let go = () => {}
const goes = new Promise<void>((resolve) => (go = resolve))
let server: Server
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

async function start(options: Partial<ConnectionOptions>) {
  const refused: string[] = []
  const limits = createConnectionLimits({
    maxTotal: 100,
    maxPerAddress: 100,
    isTrustedPeer: () => false,
    onRefused: (reason) => refused.push(reason),
    ...options,
  })
  // A slow response keeps all requests of one read in flight at the same time.
  server = createServer(({ url }, response) => {
    if (url === '/slow') void goes.then(() => response.end('late'))
    else response.end('hello')
  })
  limits.attach(server)
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo
  const open = (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    opened.push(socket)
    return socket
  }
  return { limits, refused, open }
}

/** Returns the status, or `closed` if there was no response. */
async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const closed = once(socket, 'close').then(() => 'closed')
  const answered = once(socket, 'data').then(([bytes]) => String(bytes).slice(9, 12))
  return Promise.race([closed, answered.catch(() => 'closed')])
}

test('connections over the total are rejected until one is closed', async () => {
  const { limits, refused, open } = await start({ maxTotal: 2 })
  const [first, second] = [open(), open()]
  expect([await ask(first), await ask(second), await ask(open())]).toEqual(['200', '200', 'closed'])
  expect(limits.openCount).toBe(2)
  expect(refused).toEqual(['total'])
  first.destroy()
  await expect.poll(() => limits.openCount).toBe(1)
  expect(await ask(open())).toBe('200')
})

test('connections over the limit of an address are rejected, those of other addresses are not', async () => {
  const { limits, refused, open } = await start({ maxPerAddress: 2 })
  const [first, second] = [open(), open()]
  expect([await ask(first), await ask(second), await ask(open())]).toEqual(['200', '200', 'closed'])
  expect(await ask(open('127.0.0.2'))).toBe('200')
  expect(refused).toEqual(['address'])
  second.destroy()
  await expect.poll(() => limits.openCount).toBe(2)
  expect(await ask(open())).toBe('200')
})

test('the limit per address does not apply to a trusted proxy', async () => {
  const { refused, open } = await start({ maxPerAddress: 1, isTrustedPeer: (peer) => peer === '127.0.0.1' })
  expect(await Promise.all([open(), open(), open()].map(ask))).toEqual(['200', '200', '200'])
  expect(await ask(open('127.0.0.2'))).toBe('200')
  expect(await ask(open('127.0.0.2'))).toBe('closed')
  expect(refused).toEqual(['address'])
})

test('the connection of a client that pipelines too many requests is closed', async () => {
  const { refused, open } = await start({})
  const some = open()
  some.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'.repeat(20))
  let text = ''
  some.on('data', (bytes) => (text += String(bytes)))
  await expect.poll(() => text.split('hello').length - 1).toBe(20)
  const many = open()
  many.write('GET /slow HTTP/1.1\r\nhost: here\r\n\r\n'.repeat(200))
  await once(many, 'close')
  expect(refused).toEqual(['pipelining'])
  go()
})
