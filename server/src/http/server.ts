import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { badBody, badEndpoint, errorInternal } from '@pennant/contract/replies.ts'
import { bodyCapIn } from './body-caps.ts'
import type { ConnectionLimits } from './connections.ts'
import { createDirect, type DirectFiles } from './direct.ts'
import { closeConnectionsAfterResponse, type Closing } from './drain.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import type { Log } from '../lib/log.ts'
import type { Endpoint } from './handler.ts'
import { STREAM_TYPE } from '@pennant/contract/stream.ts'
import { compile } from './pipeline.ts'
import { envelope } from './prepared.ts'
import { logRefusal, newRequestId, requestIdOf, send, type Exchange } from './send.ts'
import type { PipelineDeps } from './steps.ts'
import { DEFAULT_TIME_LIMITS, keepOpenWhileHandling } from './time-limits.ts'

export interface ServerDeps extends PipelineDeps {
  readonly endpoints: readonly Endpoint[]
  /** Everything outside the API: files, health, metrics. */
  readonly plugins: readonly ((app: FastifyInstance) => void)[]
  /** If absent, connections are not limited. */
  readonly connections?: ConnectionLimits
  /** Seconds until an idle connection is closed. */
  readonly idleTimeoutS: number
  /** Sent with every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Returns what counts the responses of a route, with the milliseconds that each took. */
  readonly counterOf?: (method: string, route: string) => (status: number, ms: number) => void
  /** Whether the Host header is that of the files origin, which does not serve the API. */
  readonly isFilesHost?: (host: string | undefined) => boolean
  /** Files outside the API that are answered before the framework. */
  readonly files?: readonly DirectFiles[]
}

/** Longer than any id in the contract, so that an id that is too long fails validation instead of routing. */
const MAX_PARAM_LENGTH = 4096

/** Creates the HTTP server with the routes of the contract. The caller starts it. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { headersMs, checkMs, idleMs, discardMs } = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  const app = Fastify({
    logger: false,
    keepAliveTimeout: deps.idleTimeoutS * 1000,
    connectionTimeout: idleMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: (request) => escapeInvalidPercents(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false, caseSensitive: true },
    clientErrorHandler: (error, socket) => rejectMalformedRequest(error, socket, deps.log),
    // A hook below rejects a missing Host header and a second one, with the envelope. Node would ignore the second.
    http: {
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkMs,
    },
  })
  // Ignores unknown `Expect` headers: Node would reject them without the envelope.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  // The pipeline reads bodies after authentication and gates.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const closing = closeConnectionsAfterResponse(app, discardMs)
  answerDirectly(app, deps, closing)
  const { headers } = deps
  if (headers) app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  app.addHook('onRequest', async (request, reply) => {
    const { host } = request.headers
    if (host === undefined ? request.raw.httpVersion === '1.1' : host.includes(',')) {
      return refuse(deps.log, { route: null, request, reply }, notWellFormed())
    }
    // Fastify would reject a malformed content type before the route's checks. The raw request still has the original.
    if (request.headers['content-type'] !== undefined)
      request.headers = { ...request.headers, 'content-type': 'application/octet-stream' }
  })
  deps.connections?.attach(app)
  keepOpenWhileHandling(app)
  app.setNotFoundHandler((request, reply) => refuse(deps.log, { route: null, request, reply }, badEndpoint()))
  app.setErrorHandler((error, request, reply) => {
    // Fastify rejects some unknown paths itself. Its messages, and those of failed files, are not for clients.
    const response = request.is404 ? badEndpoint() : errorInternal()
    if (!request.is404) {
      const requestId = requestIdOf(request.raw)
      deps.log.error({ err: error, requestId, method: request.method }, 'request failed')
    }
    return refuse(deps.log, { route: null, request, reply }, response)
  })
  const { counterOf } = deps
  if (counterOf) {
    app.addHook('onResponse', async (request, reply) => {
      // Streams last for hours, which says nothing about the duration of requests.
      if (reply.sent && reply.raw.getHeader('content-type') === STREAM_TYPE) return
      const route = request.routeOptions.url ?? 'unknown'
      counterOf(request.method, route)(reply.statusCode, reply.elapsedTime)
    })
  }
  for (const plugin of deps.plugins) plugin(app)
  for (const endpoint of deps.endpoints) {
    const { method, path } = endpoint.route
    const config = { bodyCap: bodyCapIn(deps.bodyCaps, endpoint.route) }
    app.route({ method, url: path, config, handler: compile(endpoint, deps) })
  }
  return app
}

/** Refuses what has no route. */
function refuse(log: Log, exchange: Exchange, response: ApiResponse): Promise<void> {
  logRefusal(log, { route: exchange.route, raw: exchange.request.raw }, response)
  return send(exchange, response)
}

/** Puts the direct answers in front of Fastify's own handler. */
function answerDirectly({ server }: FastifyInstance, deps: ServerDeps, closing: Closing): void {
  const direct = createDirect({
    ...deps,
    isListening: () => server.listening,
    onBody: closing.onRequest,
    sendAndDiscard: closing.sendAndDiscard,
  })
  const [framework] = server.listeners('request') as RequestListener[]
  if (!direct || !framework) return
  server.off('request', framework)
  server.on('request', (request, response) => {
    if (!direct(request, response)) framework(request, response)
  })
}

/**
 * Keeps percent escapes that cannot be decoded as literal text:
 * docs/reference/requests-and-responses.md#paths-and-methods
 */
export function escapeInvalidPercents(url: string): string {
  if (!url.includes('%') || isDecodable(url)) return url
  return url.replace(/(?:%[0-9a-f]{2})+|%/gi, (part) =>
    part !== '%' && isDecodable(part) ? part : part.replaceAll('%', '%25'),
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function notWellFormed() {
  return badBody({ reason: 'params:: the request is not well-formed HTTP' })
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
