import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { badBody, badEndpoint, errorInternal } from '@pennant/contract/replies.ts'
import { trustOf } from './client-address.ts'
import { closeSpentConnections } from './drain.ts'
import type { Endpoint } from './handler.ts'
import { compile, type PipelineDeps } from './pipeline.ts'
import { envelope } from './prepared.ts'
import { send } from './send.ts'
import { usualTimeLimits } from './time-limits.ts'

export interface ServerDeps extends PipelineDeps {
  readonly endpoints: readonly Endpoint[]
  /** What is served beside the API: files, health, metrics. */
  readonly plugins: readonly ((app: FastifyInstance) => void)[]
  /** Seconds until an idle connection is closed. */
  readonly idleTimeoutS: number
  readonly onResponse?: (request: { method: string; route: string; status: number; ms: number }) => void
}

/** Longer than any id the contract takes, so that too long an id is told as such and not as an unknown path. */
const MAX_PARAM_LENGTH = 4096

/** The HTTP service: routes compiled from the contract. It listens when the caller says so. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { headMs, lookMs } = deps.timeLimits ?? usualTimeLimits
  const app = Fastify({
    logger: false,
    trustProxy: trustOf(deps.proxy.trust),
    keepAliveTimeout: deps.idleTimeoutS * 1000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: (request) => withSoundEscapes(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false, caseSensitive: true },
    clientErrorHandler: refuseBrokenRequest,
    // A missing Host is refused by a hook, with the envelope.
    http: { requireHostHeader: false, headersTimeout: headMs, connectionsCheckingInterval: lookMs },
  })
  // Whatever else a caller expects of us is not promised; Node would refuse it without the envelope.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  // The pipeline reads bodies itself, after authentication and gates.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      return send({ route: null, request, reply }, notWellFormed())
    }
    // A malformed content type must not be refused before the route's own checks; the raw request keeps it.
    if (request.headers['content-type'] !== undefined)
      request.headers = { ...request.headers, 'content-type': 'application/octet-stream' }
  })
  closeSpentConnections(app)
  app.setNotFoundHandler((request, reply) => send({ route: null, request, reply }, badEndpoint()))
  app.setErrorHandler((error, request, reply) => {
    // Of unknown paths the framework refuses some itself. Its words, and those of a failed file, are not for callers.
    const answer = request.is404 ? badEndpoint() : errorInternal()
    if (!request.is404) deps.log.error({ err: error, method: request.method }, 'a request failed')
    return send({ route: null, request, reply }, answer)
  })
  const { onResponse } = deps
  if (onResponse) {
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown'
      onResponse({ method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime })
    })
  }
  for (const plugin of deps.plugins) plugin(app)
  for (const endpoint of deps.endpoints) {
    const { method, path } = endpoint.route
    app.route({ method, url: path, handler: compile(endpoint, deps) })
  }
  return app
}

/** Percent escapes that cannot be decoded stay as they are (contract, participant 1.2). */
export function withSoundEscapes(url: string): string {
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

/** What is not HTTP gets the envelope too, then the connection ends. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = envelope(notWellFormed())
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
}
