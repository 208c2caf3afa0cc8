import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Server } from 'node:net'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long an idle connection is waited for: its next request may be on its way. */
const IDLE_GRACE_MS = 500
/** How long the rest of a request is waited for: a client that stalls must not hold up the stop. */
const BODY_GRACE_MS = 3000
/** How long an answer may take: supervisors send SIGKILL after ten seconds. */
const ANSWER_GRACE_MS = 8000

/** Requests that have no answer yet. */
const unanswered = new WeakMap<FastifyInstance, Set<IncomingMessage>>()

/**
 * Once no new connections are taken, each answer closes its own. So does an answer to a request that was not read to its
 * end: the rest would be taken for the next request, or be waited for.
 */
export function closeSpentConnections(app: FastifyInstance): void {
  const requests = new Set<IncomingMessage>()
  unanswered.set(app, requests)
  app.addHook('onRequest', async ({ raw }, reply) => {
    requests.add(raw)
    reply.raw.once('close', () => requests.delete(raw))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!app.server.listening || !request.raw.complete) reply.header('connection', 'close')
    return payload
  })
}

/**
 * Lets a stop cut no request, before the server is closed. New connections are refused at once; those that are there
 * end with their next answer. What is idle then is closed, and what stalls is cut off.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app
  if (!server.listening) return
  // Right after the loop has accepted whoever waited: the system resets those that still do.
  await setImmediate()
  // Not the method of HTTP servers, which closes idle connections in the same step.
  Server.prototype.close.call(server)
  if (await isClosedWithin(server, IDLE_GRACE_MS)) return
  server.closeIdleConnections()
  if (await isClosedWithin(server, BODY_GRACE_MS - IDLE_GRACE_MS)) return
  for (const request of unanswered.get(app) ?? []) if (!request.complete) request.socket.destroy()
  if (await isClosedWithin(server, ANSWER_GRACE_MS - BODY_GRACE_MS)) return
  server.closeAllConnections()
}

async function isClosedWithin(server: Server, limitMs: number): Promise<boolean> {
  const grace = new AbortController()
  const { signal } = grace
  const isClosed = await Promise.race([
    once(server, 'close', { signal }).then(() => true),
    delay(limitMs, false, { signal }),
  ])
  grace.abort()
  return isClosed
}
