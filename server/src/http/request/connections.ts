import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './client-address.ts'

export interface ConnectionOptions {
  readonly maxTotal: number
  /** Per IPv4 address or IPv6 /64. */
  readonly maxPerAddress: number
  /** The limit per address does not apply to trusted proxies, which connect on behalf of many clients. */
  readonly isTrustedPeer: (address: string) => boolean
  readonly onRefused: (reason: RefusedConnection) => void
}

/** `pipelining`: a client that sends requests without reading responses. */
export type RefusedConnection = 'total' | 'address' | 'pipelining'

export interface ConnectionLimits {
  attach(server: Server): void
  readonly openCount: number
}

/** Maximum requests in flight per connection. Browsers and proxies send one at a time. */
const MAX_PIPELINED = 32

/** Limits the connections of this process. Excess connections are closed before anything is read from them. */
export function createConnectionLimits(options: ConnectionOptions): ConnectionLimits {
  let openCount = 0
  return {
    attach(server) {
      // Not `maxConnections`, which counts those of one listening handle.
      server.prependListener('connection', (socket: Socket) => {
        if (openCount >= options.maxTotal) {
          socket.destroy()
          options.onRefused('total')
          return
        }
        openCount += 1
        socket.once('close', () => (openCount -= 1))
      })
      limitPerAddress(server, options)
      limitPipelining(server, options)
    },
    get openCount() {
      return openCount
    },
  }
}

function limitPerAddress(
  server: Server,
  { maxPerAddress, isTrustedPeer, onRefused }: ConnectionOptions,
): void {
  // Bounded by the number of connections: an address without connections has no entry.
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
    if (isTrustedPeer(address)) return
    const key = addressKey(address)
    const count = (counts.get(key) ?? 0) + 1
    if (count > maxPerAddress) {
      socket.destroy()
      onRefused('address')
      return
    }
    counts.set(key, count)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
  })
}

/** Node's HTTP parser calls `onIncoming` for each request. A return value of 2 stops it. */
interface RequestParser {
  onIncoming?: ((request: unknown, shouldKeepAlive: boolean) => number) | null
}

/**
 * One read of a socket can contain 1,600 requests. Node's parser creates objects for all of them before the first one is
 * handled, which takes gigabytes for many connections, so the limit has to stop the parser itself. There is no public
 * API for that. If the parser has no `onIncoming`, there is no limit, and a test fails.
 */
function limitPipelining(server: Server, { onRefused }: ConnectionOptions): void {
  const inFlight = new WeakMap<Socket, { count: number }>()
  server.on('connection', (socket: Socket & { readonly parser?: RequestParser | null }) => {
    const { parser } = socket
    const onIncoming = parser?.onIncoming
    if (!parser || !onIncoming) return
    const open = { count: 0 }
    inFlight.set(socket, open)
    parser.onIncoming = (request, shouldKeepAlive) => {
      if (!socket.destroyed && (open.count += 1) <= MAX_PIPELINED) return onIncoming(request, shouldKeepAlive)
      if (!socket.destroyed) onRefused('pipelining')
      socket.destroy()
      return 2
    }
  })
  // One function for all responses: a closure and the wrapper of `once` for each would cost more than the rest.
  function release(this: ServerResponse) {
    const open = inFlight.get(this.req.socket)
    if (open) open.count -= 1
  }
  server.on('request', (_request, response) => response.on('close', release))
}
