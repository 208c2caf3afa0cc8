import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { errorInternal } from '@pennant/contract/replies.ts'
import type { Route } from '@pennant/contract/route.ts'
import { createTargets, type Count, type TargetDeps } from './direct-targets.ts'
import type { DiscardLimits } from './drain.ts'
import { acceptsStream } from './live.ts'
import type { Answer } from './pipeline.ts'
import {
  bodyPool,
  isComplete,
  rendered,
  requestIdOf,
  type Asked,
  type Rendered,
  type Sendable,
} from './send.ts'
import { abortSlowBody, keepOpen } from './time-limits.ts'

// Requests of participants, answered before Fastify: docs/decisions/0050-reads-before-the-framework.md

export interface DirectDeps extends TargetDeps {
  /** Files outside the API. */
  readonly files?: readonly DirectFiles[]
  /** Sent with every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the Host header is that of the files origin, which does not serve the API. */
  readonly isFilesHost?: (host: string | undefined) => boolean
  /** False while the server shuts down. */
  readonly isListening: () => boolean
  /** Called for each request with a body, which a shutdown may have to interrupt. */
  readonly onBody: (response: ServerResponse) => void
  /** Sends a response to a request that was not read completely. */
  readonly sendAndDiscard: (response: ServerResponse, made: Rendered, limits: Limits) => void
}

export interface DirectFiles {
  /** What metrics call them, as the framework does. */
  readonly route: string
  /** The response to a path, or null. */
  readonly fileAt: (path: string, headers: IncomingHttpHeaders) => Rendered | Promise<Rendered> | null
}

type Limits = Pick<DiscardLimits, 'maxBytes'>

/** Answers a request, or returns false and leaves it untouched for the framework. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean

/** Larger bodies are rare, and may need more than one read of the socket. */
const MAX_BODY_BYTES = 16 * 1024
const LENGTH = /^[1-9]\d{0,4}$/

/** Returns null where every request has to take the long way, because it is traced. */
export function createDirect(deps: DirectDeps): Direct | null {
  if (deps.tracing) return null
  const { isFilesHost = () => false, counterOf = () => () => {} } = deps
  const readOf = createTargets(deps, 'GET')
  const changeOf = createTargets(deps, 'POST')
  const allFiles = (deps.files ?? []).map(({ route, fileAt }) => ({ fileAt, count: counterOf('GET', route) }))
  const respond = createResponder(deps)

  function read(request: IncomingMessage, response: ServerResponse, headers: IncomingHttpHeaders): boolean {
    const url = request.url ?? ''
    const target = readOf(url)
    if (target) {
      const { to, params, query, known } = target
      countWhenSent(response, to.count)
      const handled = to.answer({ raw: request, headers, params, query, known })
      respond.with({ route: to.route, raw: request, headers, response, mayLease: true }, handled)
      return true
    }
    const [path = ''] = url.split('?', 1)
    for (const { fileAt, count } of allFiles) {
      const file = fileAt(path, headers)
      if (!file) continue
      countWhenSent(response, count)
      respond.file({ route: null, raw: request, headers, response }, file)
      return true
    }
    return false
  }

  function change(request: IncomingMessage, response: ServerResponse, headers: IncomingHttpHeaders): boolean {
    if (!LENGTH.test(headers['content-length'] ?? '') || headers.expect !== undefined) return false
    if (Number(headers['content-length']) > MAX_BODY_BYTES) return false
    const target = changeOf(request.url ?? '')
    if (!target) return false
    const { to, params, query, known } = target
    countWhenSent(response, to.count)
    deps.onBody(response)
    keepOpen(response)
    // A body that came with its headers has been read by then, and needs no timer.
    setImmediate(() => abortSlowBody(request, to.bodyTime, () => deps.onBodyRefused?.('late')))
    const handled = to.answer({ raw: request, headers, params, query, known })
    respond.with({ route: to.route, raw: request, headers, response, maxBytes: to.bodyCap }, handled)
    return true
  }

  return (request, response) => {
    if (request.httpVersion !== '1.1') return false
    const { method } = request
    if (method !== 'GET' && method !== 'POST') return false
    const { headers } = request
    if (
      headers.host === undefined ||
      headers.host.includes(',') ||
      headers['transfer-encoding'] !== undefined
    )
      return false
    if (isFilesHost(headers.host)) return false
    if (method === 'POST') return change(request, response, headers)
    // Without a body, and with an end. Everything unusual is left to the framework and its hooks.
    if (headers['content-length'] !== undefined || acceptsStream(headers.accept)) return false
    return read(request, response, headers)
  }
}

/** A response on its way. Kept on the response itself, so that one listener serves all of them. */
const pending = Symbol('pending')

interface Pending {
  readonly count: Count
  readonly startedAt: number
  /** Of its body. */
  lease?: Buffer | undefined
}

type PendingResponse = ServerResponse & { [pending]?: Pending }

function countWhenSent(response: PendingResponse, count: Count): void {
  response[pending] = { count, startedAt: performance.now() }
  response.on('finish', sent)
}

/** All bytes were handed to the system. If the connection breaks before that, the lease is left to the collector. */
function sent(this: PendingResponse): void {
  const ended = this[pending]
  if (!ended) return
  ended.count(this.statusCode, performance.now() - ended.startedAt)
  if (ended.lease) bodyPool.putBack(ended.lease)
}

interface Exchange extends Asked {
  readonly route: Route | null
  readonly response: ServerResponse
  /** Of a body; a refused one is discarded up to this size. */
  readonly maxBytes?: number
}

function createResponder({ headers = {}, isListening, log, sendAndDiscard }: DirectDeps) {
  const always = Object.entries(headers).flat()

  function write({ raw, response, maxBytes }: Exchange, made: Rendered): void {
    if (maxBytes === undefined || raw.complete) return send(response, made)
    // A body that came with the headers of a request that was refused for them is complete in the next turn.
    setImmediate(() => {
      if (raw.complete) send(response, made)
      else sendAndDiscard(response, { ...made, headers: [...made.headers, ...always] }, { maxBytes })
    })
  }

  function send(response: PendingResponse, made: Rendered): void {
    if (made.lease && response[pending]) response[pending].lease = made.lease
    const isUsual = always.length === 0 && isListening()
    response.writeHead(made.status, isUsual ? made.headers : withMore(made.headers))
    response.end(made.body ?? undefined)
  }

  function withMore(own: readonly string[]): string[] {
    const closing = isListening() ? [] : ['connection', 'close']
    return [...own, ...always, ...closing]
  }

  function finish(exchange: Exchange, handled: Sendable | null): void | Promise<void> {
    const { route } = exchange
    // The client closed the connection while it was sending.
    if (!handled) return void exchange.raw.destroy()
    if (!isComplete(handled)) throw new Error(`${route?.path}: not a complete response`)
    return writeWhenReady(exchange, rendered(exchange, handled))
  }

  function writeWhenReady(exchange: Exchange, made: Rendered | Promise<Rendered>): void | Promise<void> {
    return made instanceof Promise ? made.then((whole) => write(exchange, whole)) : write(exchange, made)
  }

  function failed(exchange: Exchange, error: unknown): void {
    const { route, raw, response } = exchange
    const requestId = requestIdOf(raw)
    log.error({ err: error, requestId, method: raw.method, route: route?.path }, 'request failed')
    const made = rendered(exchange, errorInternal())
    if (made instanceof Promise || response.headersSent) response.destroy()
    else write(exchange, made)
  }

  /** Logs what fails, and keeps the connection open while something is waited for. */
  function guarded(exchange: Exchange, work: () => void | Promise<void>): void {
    try {
      const done = work()
      if (!done) return
      if (exchange.maxBytes === undefined) keepOpen(exchange.response)
      done.catch((error: unknown) => failed(exchange, error))
    } catch (error) {
      failed(exchange, error)
    }
  }

  return {
    with: (exchange: Exchange, handled: ReturnType<Answer>) =>
      guarded(exchange, () =>
        handled instanceof Promise
          ? handled.then((late) => finish(exchange, late))
          : finish(exchange, handled),
      ),
    file: (exchange: Exchange, made: Rendered | Promise<Rendered>) =>
      guarded(exchange, () => writeWhenReady(exchange, made)),
  }
}
