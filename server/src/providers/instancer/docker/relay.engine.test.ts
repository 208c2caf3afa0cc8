import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  instancerOn,
  never,
  orderOf,
  sayingOf,
  service,
  tcp,
  untilRunning,
} from '../../../../test/docker-instances.ts'
import { RELAY_IMAGE, startEngine, type TestEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { Endpoint, Expose, Instancer } from '../instancer.ts'

const MEGABYTE = 1024 * 1024

let engine: TestEngine
let instancer: Instancer
let endpoints: readonly Endpoint[]
const at = (index: number) => endpoints[index]!

/** A frame at once, then an echo, and the closing frame after the client has ended its direction. */
const WEBSOCKET = String.raw`while read -r line && [ "$line" != "$(printf '\r')" ]; do :; done
printf 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\201\002up'
cat
printf '\210\000'`
/** Returns what it receives; ends its direction first and goes on reading; says what that was; an echo of datagrams. */
const SERVICES = [
  'echo bye >/tmp/bye; touch /tmp/got',
  'socat -t 60 TCP-LISTEN:2000,fork,backlog=512 EXEC:cat &',
  'socat -t 60 TCP-LISTEN:2001,fork "OPEN:/tmp/bye,rdonly!!CREATE:/tmp/got" &',
  'socat TCP-LISTEN:2002,fork EXEC:"cat /tmp/got" &',
  'echo "$WEBSOCKET" >/tmp/websocket; socat -t 60 TCP-LISTEN:2004,fork EXEC:"sh /tmp/websocket" &',
  'socat UDP-RECVFROM:2003,fork EXEC:cat & wait',
]

beforeAll(async () => {
  engine = await startEngine()
  instancer = await instancerOn({ url: engine.url })
  const config = service(`sh -c '${SERVICES.join('\n')}'`, {
    environment: { WEBSOCKET },
    tmpfs: { '/tmp': 'size=2m,mode=1777' },
    image: RELAY_IMAGE,
    pids_limit: 1000,
    mem_limit: '256m',
  })
  const udp: Expose = { ...tcp(2003), kind: 'udp' }
  const order = orderOf('team-relay', config, { expose: [tcp(2000), tcp(2001), tcp(2002), udp, tcp(2004)] })
  await instancer.create(order, never)
  ;({ endpoints } = await untilRunning(instancer, order))
  await eventually(() => exchange(at(0), 'ready'))
})
afterAll(async () => {
  await instancer.close?.()
  await engine[Symbol.asyncDispose]()
})

/** Sends, ends its direction, and reads until the other one ends. */
async function exchange({ host, port }: Endpoint, text: string | Buffer): Promise<number> {
  const socket = connect({ host, port, allowHalfOpen: true })
  await once(socket, 'connect')
  socket.end(text)
  let length = 0
  for await (const chunk of socket) length += (chunk as Buffer).length
  if (length !== text.length) throw new Error(`${length} of ${text.length} bytes came back`)
  return length
}

test('200 clients at once are all served', async () => {
  const served = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => exchange(at(0), `client ${n}\n`)),
  )
  expect(served.filter(({ status }) => status === 'rejected')).toEqual([])
})

test('large transfers in both directions at once do not block each other', async () => {
  const large = Buffer.alloc(3 * MEGABYTE, 'x')
  expect(await Promise.all([1, 2, 3].map(() => exchange(at(0), large)))).toEqual(
    [1, 2, 3].map(() => large.length),
  )
})

test('connections that stay open do not keep others out', async () => {
  const { host, port } = at(0)
  const open = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect({ host, port })
      await once(socket, 'connect')
      return socket
    }),
  )
  expect(await exchange(at(0), 'one more')).toBe(8)
  // An upgraded connection, such as a WebSocket, is idle for long and then used in both directions.
  const [idle] = open
  idle?.write('\x81\x02hi')
  expect(String((await once(idle!, 'data'))[0])).toBe(String('\x81\x02hi'))
  for (const socket of open) socket.destroy()
})

test('a WebSocket carries frames in both directions, and the rest of one direction after the end of the other', async () => {
  const { host, port } = at(4)
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const asked = request({
    host,
    port,
    headers: { ...headers, 'sec-websocket-key': btoa('sixteen bytes ok') },
  })
  const upgraded = once(asked.end(), 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>
  const [{ statusCode }, socket, head] = await upgraded
  expect(statusCode).toBe(101)
  let received = head.toString('latin1')
  socket.setEncoding('latin1').on('data', (text: string) => void (received += text))
  await eventually(() => expect(received).toBe('\x81\x02up'))
  socket.write('\x81\x02hi', 'latin1')
  await eventually(() => expect(received).toBe('\x81\x02up\x81\x02hi'))
  socket.end('\x88\x00', 'latin1')
  await once(socket, 'end')
  expect(received).toBe('\x81\x02up\x81\x02hi\x88\x00\x88\x00')
})

test('a service that ends its direction first still reads', async () => {
  const { host, port } = at(1)
  const socket = connect({ host, port, allowHalfOpen: true })
  await once(socket, 'connect')
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += String(chunk)
  expect(text).toBe('bye\n')
  socket.end('after the end')
  await eventually(async () => expect(await sayingOf(at(2).host, at(2).port)).toBe('after the end'))
})

test('datagrams are answered', async () => {
  const { host, port } = at(3)
  const answers = await Promise.all(
    ['one', 'two'].map(async (text) => {
      const socket = createSocket('udp4')
      try {
        return await eventually(async () => {
          socket.send(text, port, host)
          const [data] = (await once(socket, 'message', { signal: AbortSignal.timeout(500) })) as [Buffer]
          return String(data)
        })
      } finally {
        socket.close()
      }
    }),
  )
  expect(answers).toEqual(['one', 'two'])
})
