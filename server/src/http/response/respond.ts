import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { badEndpoint, errorInternal } from '@pennant/contract/replies.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import type { Log } from '../../lib/log.ts'
import { discardRest } from '../drain.ts'
import type { Outcome } from '../decide/pipeline.ts'
import type { Destination } from '../decide/router.ts'
import { bodyPool, isLive, logRefusal, rendered, requestIdOf, type Rendered } from './send.ts'
import { DEFAULT_TIME_LIMITS, keepOpen, type TimeLimits } from '../request/time-limits.ts'

export interface ResponderDeps {
  readonly log: Log
  readonly timeLimits?: TimeLimits
  /** Sent with every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Returns what counts the responses of a route, with the milliseconds that each took. */
  readonly counterOf?: (method: string, route: string) => Count
  /** False while the server shuts down: every response closes its connection then. */
  readonly isListening: () => boolean
}

type Count = (status: number, ms: number) => void

/** A request and the response on its way. */
export interface Exchange {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  /** Whether the request announced a body. */
  readonly hasBody: boolean
  readonly to: Destination | null
}

/** Kept on the response itself, so that one listener serves all of them. */
const pending = Symbol('pending')

interface Pending {
  count: Count
  readonly startedAt: number
  /** Of its body. */
  lease?: Buffer
}

type PendingResponse = ServerResponse & { [pending]?: Pending }

/** All bytes were handed to the system. If the connection breaks before that, the lease is left to the collector. */
function sent(this: PendingResponse): void {
  const ended = this[pending]
  if (!ended) return
  ended.count(this.statusCode, performance.now() - ended.startedAt)
  if (ended.lease) bodyPool.release(ended.lease)
}

/** Bytes of a rejected body that are always read and discarded, even if the route's cap is lower. */
const MIN_DISCARD_BYTES = 4 * 1024 * 1024

const CLOSES = ['connection', 'close']

/** Returns what answers a request with the outcome of some work. */
export function createResponder(deps: ResponderDeps) {
  const { counterOf = () => () => {}, isListening, log } = deps
  const { discardMs } = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  const always = Object.entries(deps.headers ?? {}).flat()

  function finish(exchange: Exchange, outcome: Outcome): void | Promise<void> {
    const { raw, response, to } = exchange
    if (outcome && isLive(outcome)) {
      response.setHeaders(new Map(Object.entries(deps.headers ?? {})))
      const refusal = outcome.open(response)
      // It lasts for hours, which says nothing about the duration of requests.
      if (!refusal) return countAs(response, () => {})
      return refuse(exchange, refusal)
    }
    if (outcome) return write(exchange, outcome)
    // The client closed the connection while it was sending.
    if (to?.route) return void raw.destroy()
    countAs(response, counterOf(raw.method ?? '', 'unknown'))
    return refuse(exchange, badEndpoint())
  }

  function refuse(exchange: Exchange, reply: ApiResponse): void | Promise<void> {
    logRefusal(log, { route: exchange.to?.route ?? null, raw: exchange.raw }, reply)
    return writeReply(exchange, reply)
  }

  function writeReply(exchange: Exchange, reply: ApiResponse): void | Promise<void> {
    const { raw, to } = exchange
    const made = rendered({ route: to?.route ?? null, raw, headers: raw.headers }, reply)
    return after(made, (whole) => write(exchange, whole))
  }

  function write(exchange: Exchange, made: Rendered): void | Promise<void> {
    const { raw, hasBody } = exchange
    if (!hasBody || raw.complete) return send(exchange, made, true)
    // A body that came with the headers of a request that was refused for them is complete in the next turn.
    setImmediate(() => guarded(exchange, () => send(exchange, made, raw.complete)))
  }

  /** `isRead`: whether the whole request was received. If not, the connection is closed after the rest was read and discarded. */
  function send({ raw, response, to }: Exchange, made: Rendered, isRead: boolean): void | Promise<void> {
    const { status, body, lease } = made
    if (lease) releaseWhenSent(response, lease)
    const staysOpen = isRead && isListening()
    const isUsual = staysOpen && always.length === 0
    const headers = isUsual ? made.headers : [...made.headers, ...always, ...(staysOpen ? [] : CLOSES)]
    if (body instanceof Readable) return sendStream(response, { status, headers, body })
    response.writeHead(status, headers)
    if (isRead || raw.method === 'HEAD') return void response.end(body ?? undefined)
    response.write(body ?? '')
    const maxBytes = Math.max(to?.body?.cap ?? 0, MIN_DISCARD_BYTES)
    void discardRest(raw, { maxBytes, discardMs }).then(() => response.end())
  }

  function failed(exchange: Exchange, error: unknown): void {
    const { raw, response, to } = exchange
    log.error(
      { err: error, requestId: requestIdOf(raw), method: raw.method, route: to?.path },
      'request failed',
    )
    if (response.headersSent) response.destroy()
    else guarded(exchange, () => writeReply(exchange, errorInternal()))
  }

  /** Logs what fails, and keeps the connection open while something is waited for. */
  function guarded(exchange: Exchange, work: () => void | Promise<void>): void {
    try {
      const done = work()
      if (!done) return
      keepOpen(exchange.response)
      done.catch((error: unknown) => failed(exchange, error))
    } catch (error) {
      failed(exchange, error)
    }
  }

  return (exchange: Exchange, work: () => Outcome | Promise<Outcome>) => {
    const { raw, response, to } = exchange
    startCounting(response, counterOf(raw.method ?? '', to?.path ?? 'unknown'))
    guarded(exchange, () => after(work(), (outcome) => finish(exchange, outcome)))
  }
}

/** Without a promise where none is needed. */
function after<T>(value: T | Promise<T>, next: (value: T) => void | Promise<void>): void | Promise<void> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function startCounting(response: PendingResponse, count: Count): void {
  response[pending] = { count, startedAt: performance.now() }
  response.on('finish', sent)
}

function countAs(response: PendingResponse, count: Count): void {
  if (response[pending]) response[pending].count = count
}

function releaseWhenSent(response: PendingResponse, lease: Buffer): void {
  if (response[pending]) response[pending].lease = lease
}

interface Streamed {
  readonly status: number
  readonly headers: string[]
  readonly body: Readable
}

/** Rejects if the stream fails before its first bytes: then another response can say so. Later the connection is closed. */
function sendStream(response: ServerResponse, { status, headers, body }: Streamed): Promise<void> {
  response.on('close', () => body.destroy())
  return new Promise((resolve, reject) => {
    if (response.req.method === 'HEAD') return void resolve(void response.writeHead(status, headers).end())
    body.once('error', (error) => (response.headersSent ? response.destroy() : reject(error)))
    body.once('readable', () => {
      response.writeHead(status, headers)
      resolve(void body.pipe(response))
    })
  })
}
