import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { listenersOf } from './acceptors.ts'
import { areTooSmall } from './body.ts'
import type { Rendered } from './send.ts'

/** Idle connections stay open this long, because a request may already be in transit. */
const IDLE_GRACE_MS = 1000
/** Time to receive the rest of a request body. A stalled client must not delay the shutdown. */
const BODY_GRACE_MS = 3000
/** Time to complete responses. Supervisors send SIGKILL after ten seconds. */
const RESPONSE_GRACE_MS = 8000

/** Each turn accepts at least one connection. Bounded, because clients may connect all the time. */
const MAX_ACCEPTING_TURNS = 1000

/** Bytes of a rejected body that are always read and discarded, even if the route's cap is lower. */
const MIN_DISCARD_BYTES = 4 * 1024 * 1024

/** Requests that have no complete response yet. */
const pending = new WeakMap<FastifyInstance, Set<IncomingMessage>>()

/** What ends waiting requests at a shutdown. */
const endings = new WeakMap<FastifyInstance, (() => void)[]>()

/** Calls the function when the server begins to shut down: it releases requests that wait for something to happen. */
export function onShutdown(app: FastifyInstance, release: () => void): void {
  endings.set(app, [...(endings.get(app) ?? []), release])
  app.addHook('preClose', async () => release())
}

/** Route options of this module. */
interface DrainConfig {
  /** Maximum size of a body. Up to this many bytes of a rejected body are discarded. */
  readonly bodyCap?: number
}

/** The same for requests that the framework does not see. */
export interface Closing {
  /** Has to be called for each request with a body. */
  readonly onRequest: (response: ServerResponse) => void
  /** Sends a response to a request that was not read completely, and discards the rest. */
  readonly sendAndDiscard: (
    response: ServerResponse,
    made: Rendered,
    limits: Pick<DiscardLimits, 'maxBytes'>,
  ) => void
}

/**
 * During shutdown, every response closes its connection. So does the response to a request that was not read
 * completely, after the rest of the request was read and discarded: closing a socket with unread bytes sends a TCP
 * reset, and a client that is still sending would lose the response.
 */
export function closeConnectionsAfterResponse(app: FastifyInstance, discardMs: number): Closing {
  const requests = new Set<IncomingMessage>()
  pending.set(app, requests)
  function onClose(this: ServerResponse) {
    requests.delete(this.req)
  }
  const onRequest = (response: ServerResponse) => {
    requests.add(response.req)
    response.on('close', onClose)
  }
  app.addHook('onRequest', async (_request, reply) => onRequest(reply.raw))
  app.addHook('onSend', async (request, reply, payload) => {
    const { raw, routeOptions } = request
    if (!app.server.listening || !raw.complete) reply.header('connection', 'close')
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (raw.complete || !isWhole || request.method === 'HEAD') return payload
    reply.header('content-length', Buffer.byteLength(payload))
    const { bodyCap = 0 } = routeOptions.config as DrainConfig
    const limits = { maxBytes: Math.max(bodyCap, MIN_DISCARD_BYTES), discardMs }
    return Readable.from(sendThenDiscard(payload, raw, limits))
  })
  return {
    onRequest,
    sendAndDiscard(response, { status, headers, body }, { maxBytes }) {
      response.writeHead(status, [...headers, 'connection', 'close'])
      response.write(body ?? '')
      const limits = { maxBytes: Math.max(maxBytes, MIN_DISCARD_BYTES), discardMs }
      void discardRest(response.req, limits).then(() => response.end())
    },
  }
}

/**
 * Graceful shutdown: stops accepting connections and completes the requests in flight. Then idle connections are
 * closed, then stalled ones, and finally all that are left.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app
  if (!server.listening) return
  for (const release of endings.get(app) ?? []) release()
  await acceptPending(server)
  const listeners = listenersOf(app)
  const isClosed = Promise.all(listeners.map((listener) => once(listener, 'close')))
  // `close` of http.Server would also close idle connections immediately.
  for (const listener of listeners) Server.prototype.close.call(listener)
  if (await isClosedWithin(isClosed, IDLE_GRACE_MS)) return
  server.closeIdleConnections()
  if (await isClosedWithin(isClosed, BODY_GRACE_MS - IDLE_GRACE_MS)) return
  for (const request of pending.get(app) ?? []) if (!request.complete) request.socket.destroy()
  if (await isClosedWithin(isClosed, RESPONSE_GRACE_MS - BODY_GRACE_MS)) return
  server.closeAllConnections()
}

/** Accepts the connections that wait, because the kernel resets them when the listening socket is closed. */
async function acceptPending(server: Server): Promise<void> {
  let accepted = 0
  const count = () => (accepted += 1)
  server.on('connection', count)
  // The first one may be in this turn, which has looked for connections already.
  await setImmediate()
  for (let turn = 0, before = -1; accepted > before && turn < MAX_ACCEPTING_TURNS; turn += 1) {
    before = accepted
    await setImmediate()
  }
  server.off('connection', count)
}

/** Sends the whole response immediately, but ends it only after the rest of the request was discarded. */
async function* sendThenDiscard(payload: string | Buffer, raw: IncomingMessage, limits: DiscardLimits) {
  yield payload
  await discardRest(raw, limits)
}

export interface DiscardLimits {
  readonly maxBytes: number
  readonly discardMs: number
}

/** Reads and discards the rest of a request, within limits of size and time. */
function discardRest(raw: IncomingMessage, { maxBytes, discardMs }: DiscardLimits): Promise<void> {
  return new Promise((resolve) => {
    let size = 0
    let chunks = 0
    const count = (chunk: Buffer) => {
      size += chunk.length
      chunks += 1
      if (size > maxBytes || areTooSmall(chunks, size)) end()
    }
    const end = () => {
      clearTimeout(timer)
      raw.off('data', count).off('end', end).off('close', end).pause()
      resolve()
    }
    const timer = setTimeout(end, discardMs).unref()
    if (raw.destroyed || raw.readableEnded) end()
    else raw.on('data', count).once('end', end).once('close', end).resume()
  })
}

async function isClosedWithin(isClosed: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const cancel = new AbortController()
  const { signal } = cancel
  const inTime = await Promise.race([
    isClosed.then(() => true),
    delay(timeoutMs, false, { signal }).catch(() => false),
  ])
  cancel.abort()
  return inTime
}
