import { connect, type Socket } from 'node:net'
import { SECOND_MS } from '@pennant/contract/durations.ts'

// Clients that try to exhaust a server's connections and memory. Each keeps its number of connections open
// and replaces those that the server closes, until it is stopped.

export interface Target {
  readonly port: number
  /** Token of a team with all permissions, for clients that need to pass authentication. */
  readonly token: string
  /** Path of a large response, for clients that never read it. */
  readonly largePath: string
}

export interface HostileClients extends Disposable {
  readonly opened: number
  readonly closedByServer: number
}

interface Behaviour {
  /** Concurrent connections. */
  readonly connections: number
  /** Runs for each new connection. The function it returns runs once per second. */
  readonly begin: (socket: Socket, target: Target) => (() => void) | void
}

const REOPEN_MS = 100

const head = (first: string, ...headers: readonly string[]) =>
  [first, 'Host: x', ...headers, '', ''].join('\r\n')

const signature = () => [`X-SVC-Timestamp: ${Date.now()}`, `X-SVC-Signature: sha256=${'0'.repeat(64)}`]
const SCORES = 'POST /api/v2/challs/x/scores HTTP/1.1'
const MIB = 1024 * 1024

/** Writes the bytes repeatedly, as fast as the server reads them. */
function repeat(socket: Socket, bytes: Buffer): void {
  const write = () => {
    // One write per event loop turn, so that the other connections of this process get theirs.
    if (socket.writable && socket.write(bytes)) setImmediate(write)
  }
  socket.on('drain', write)
  write()
}

/** Behaviour of each kind of connection, by name. */
export const BEHAVIOURS = {
  'slow heads': {
    connections: 1000,
    begin(socket) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ')
      return () => void socket.write('a')
    },
  },
  'slow bodies': {
    connections: 1000,
    begin(socket) {
      socket.write(head('POST /api/v2/auth/register HTTP/1.1', 'Content-Length: 16000'))
      return () => void socket.write('a')
    },
  },
  'bodies in chunks of one byte': {
    connections: 16,
    begin(socket) {
      socket.write(head(SCORES, ...signature(), 'Transfer-Encoding: chunked'))
      repeat(socket, Buffer.from('1\r\na\r\n'.repeat(4096)))
    },
  },
  'stalled bodies of 8 MiB': {
    connections: 64,
    begin(socket) {
      socket.write(head(SCORES, ...signature(), `Content-Length: ${8 * MIB}`))
      socket.write(Buffer.alloc(8 * MIB - 1))
    },
  },
  'responses that are not read': {
    connections: 500,
    begin(socket, { largePath }) {
      socket.pause().write(head(`GET ${largePath} HTTP/1.1`).repeat(20))
    },
  },
  'idle connections': { connections: 10_000, begin() {} },
  'requests sent ahead': {
    connections: 50,
    begin(socket) {
      repeat(socket, Buffer.from(head('GET /api/v2/challs HTTP/1.1').repeat(1000)))
    },
  },
  'huge headers': {
    connections: 100,
    begin(socket) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ')
      repeat(socket, Buffer.alloc(65_536, 'a'))
    },
  },
  'aborted uploads': {
    connections: 50,
    begin(socket, { token }) {
      const type = 'Content-Type: multipart/form-data; boundary=b'
      const headers = [`Authorization: Bearer ${token}`, type, `Content-Length: ${64 * MIB}`]
      socket.write(head('POST /api/v2/admin/upload HTTP/1.1', ...headers))
      socket.write('--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n')
      socket.write(Buffer.alloc(MIB), () => socket.destroy())
    },
  },
} as const satisfies Readonly<Record<string, Behaviour>>

export type BehaviourName = keyof typeof BEHAVIOURS

/** Starts clients of one kind; `share` scales the usual number of connections. */
export function startHostileClients(name: BehaviourName, target: Target, share = 1): HostileClients {
  const { connections, begin }: Behaviour = BEHAVIOURS[name]
  const sockets = new Map<Socket, () => void>()
  const timers = new Set<NodeJS.Timeout>()
  let opened = 0
  let closedByServer = 0
  let isOver = false

  function open(): void {
    opened += 1
    const socket = connect(target.port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    sockets.set(socket, begin(socket, target) ?? (() => {}))
    socket.once('end', () => (closedByServer += 1))
    socket.once('close', () => {
      sockets.delete(socket)
      if (isOver) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        open()
      }, REOPEN_MS)
      timers.add(timer)
    })
  }

  const seconds = setInterval(() => {
    for (const everySecond of sockets.values()) everySecond()
  }, SECOND_MS)
  for (let count = 0; count < Math.ceil(connections * share); count++) open()
  return {
    get opened() {
      return opened
    },
    get closedByServer() {
      return closedByServer
    },
    [Symbol.dispose]() {
      isOver = true
      clearInterval(seconds)
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}
