import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { listenersOf } from './request/acceptors.ts'
import { areTooSmall } from './request/body.ts'

/** Idle connections stay open this long, because a request may already be in transit. */
const IDLE_GRACE_MS = 1000
/** Time to receive the rest of a request body. A stalled client must not delay the shutdown. */
const BODY_GRACE_MS = 3000
/** Time to complete responses. Supervisors send SIGKILL after ten seconds. */
const RESPONSE_GRACE_MS = 8000

/** Each turn accepts at least one connection. Bounded, because clients may connect all the time. */
const MAX_ACCEPTING_TURNS = 1000

export interface Drainable {
  readonly server: Server
  /** The requests with a body that have no complete response yet. */
  readonly unread: ReadonlySet<IncomingMessage>
  /** Ends requests that wait for something to happen. */
  release(): void
}

/**
 * Graceful shutdown: stops accepting connections and completes the requests in flight. Then idle connections are
 * closed, then stalled ones, and finally all that are left.
 */
export async function drain({ server, unread, release }: Drainable): Promise<void> {
  if (!server.listening) return
  release()
  await acceptPending(server)
  const listeners = listenersOf(server)
  const isClosed = Promise.all(listeners.map((listener) => once(listener, 'close')))
  // `close` of http.Server would also close idle connections immediately.
  for (const listener of listeners) NetServer.prototype.close.call(listener)
  if (await isClosedWithin(isClosed, IDLE_GRACE_MS)) return
  server.closeIdleConnections()
  if (await isClosedWithin(isClosed, BODY_GRACE_MS - IDLE_GRACE_MS)) return
  for (const request of unread) if (!request.complete) request.socket.destroy()
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

export interface DiscardLimits {
  readonly maxBytes: number
  readonly discardMs: number
}

/**
 * Reads and discards the rest of a request, within limits of size and time: closing a socket with unread bytes sends a TCP reset,
 * and a client that is still sending would lose the response.
 */
export function discardRest(raw: IncomingMessage, { maxBytes, discardMs }: DiscardLimits): Promise<void> {
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
