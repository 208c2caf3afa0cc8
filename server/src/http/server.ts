import { once } from 'node:events'
import { createServer as createNodeServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'
import { listenersOf } from './request/acceptors.ts'
import type { Log } from '../lib/log.ts'
import type { ConnectionLimits } from './request/connections.ts'
import type { Drainable } from './drain.ts'
import { createRouter, type RouterDeps } from './decide/router.ts'
import { createInnerFetch, type InnerFetch } from './inner.ts'
import { createListener, notWellFormed, type ListenerDeps } from './listener.ts'
import { envelope } from './response/prepared.ts'
import { newRequestId } from '../lib/uuid.ts'
import { DEFAULT_TIME_LIMITS } from './request/time-limits.ts'

export interface ServerDeps
  extends RouterDeps, Omit<ListenerDeps, 'isListening' | 'unread' | 'targetOf' | 'onBodyRefused'> {
  /** If absent, connections are not limited. */
  readonly connections?: ConnectionLimits
  /** Seconds until an idle connection is closed. */
  readonly idleTimeoutS: number
  /** Called when the server begins to shut down: they release requests that wait for something to happen. */
  readonly releases?: readonly (() => void)[]
}

/** The HTTP server with the routes of the contract. */
export interface HttpServer extends Drainable {
  readonly innerFetch: InnerFetch
  /** Resolves with the URL. */
  listen(options: ListenOptions): Promise<string>
  /** Stops listening, and resolves when all requests in flight are complete. */
  close(): Promise<void>
}

export function createServer(deps: ServerDeps): HttpServer {
  const { idleTimeoutS, overload, releases = [], timeLimits = DEFAULT_TIME_LIMITS } = deps
  const server = createNodeServer({
    keepAliveTimeout: idleTimeoutS * 1000,
    // The listener rejects a missing Host header and a second one, with the envelope. Node would ignore the second.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    headersTimeout: timeLimits.headersMs,
    // Bodies have time limits of their own.
    requestTimeout: 0,
    connectionsCheckingInterval: timeLimits.checkMs,
  })
  server.setTimeout(timeLimits.idleMs)
  const unread = new Set<IncomingMessage>()
  const targetOf = createRouter(deps)
  server.on('request', createListener({ ...deps, targetOf, isListening: () => server.listening, unread }))
  // Ignores unknown `Expect` headers: Node would reject them without the envelope.
  server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange))
  server.on('clientError', (error, socket) => rejectMalformedRequest(error, socket as Socket, deps.log))
  deps.connections?.attach(server)
  const release = () => {
    for (const each of releases) each()
  }
  return {
    server,
    innerFetch: createInnerFetch(targetOf),
    unread,
    release,
    async listen(options) {
      server.listen(options)
      await once(server, 'listening')
      return urlOf(server.address() as AddressInfo)
    },
    async close() {
      release()
      overload?.stop()
      const listeners = listenersOf(server).filter(({ listening }) => listening)
      await Promise.all(listeners.map((listener) => once(listener.close(), 'close')))
    },
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address === '0.0.0.0' ? '127.0.0.1' : address
  return `http://${host}:${port}`
}

/** Time for the client to read the response and close the connection. */
const REJECTED_MS = 5000

/** Maximum bytes read during that time. Each read is another parse error with a copy of the bytes. */
const REJECTED_BYTES = 1024 * 1024

/** Bytes read from a connection when its request was rejected. */
const bytesReadBefore = new WeakMap<Socket, number>()

/** Responds to malformed HTTP with the envelope and closes the connection. Later bytes cause further parse errors. */
function rejectMalformedRequest(error: Error & { code?: string }, socket: Socket, log: Log): void {
  const readBefore = bytesReadBefore.get(socket)
  if (readBefore !== undefined) {
    if (socket.bytesRead - readBefore > REJECTED_BYTES) socket.destroy()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  bytesReadBefore.set(socket, socket.bytesRead)
  const timer = setTimeout(() => socket.destroy(), REJECTED_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  const body = envelope(notWellFormed())
  const requestId = newRequestId()
  log.debug({ requestId, status: 400, reason: error.code }, 'refused malformed HTTP')
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}
