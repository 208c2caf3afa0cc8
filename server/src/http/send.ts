import { randomBytes } from 'node:crypto'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode, pickCoding } from './encode.ts'
import { sendLive, type Live } from './live.ts'
import { envelope, preparedBytes, type Prepared } from './prepared.ts'
import { sendStream, type Streamed } from './streamed.ts'

/** Ids of requests that failed, by which a player's report leads to the line in the log. */
const requestIds = new WeakMap<FastifyRequest, string>()

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** `Retry-After` while a datastore is unavailable: reads recover within seconds of it. */
const RETRY_AFTER_S = '2'

/**
 * Sends a handler's response: 200 to GET with an ETag, everything else with `no-store`.
 * docs/reference/requests-and-responses.md#caching-headers
 */
export async function send(exchange: Exchange, handled: Sendable): Promise<void> {
  if (isPrepared(handled)) return sendBody(exchange, 200, handled)
  if (isStreamed(handled)) {
    const type = exchange.route?.file ?? 'application/octet-stream'
    return sendStream(exchange.reply, { type, file: handled })
  }
  if (isLive(handled)) return sendLive(exchange.reply, handled)
  const { status } = handled.reply
  const body = Buffer.from(bodyOf(exchange.route, handled))
  if (status >= 500) exchange.reply.header('x-request-id', requestIdOf(exchange.request))
  if (status === 503) exchange.reply.header('retry-after', RETRY_AFTER_S)
  // Text has no `timeLeft`.
  if (status === 429 && exchange.route?.text) exchange.reply.header('retry-after', retryAfterS(handled.data))
  return sendBody(exchange, status, preparedBytes(body, isCacheable(exchange, status) ? undefined : ''))
}

/** 12 random characters, the same for each call with the same request. Only failed requests have one. */
export function requestIdOf(request: FastifyRequest): string {
  let id = requestIds.get(request)
  if (id === undefined) requestIds.set(request, (id = randomBytes(9).toString('base64url')))
  return id
}

/** A request and its response. `route` is null if the path is unknown. */
export interface Exchange {
  readonly route: Route | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a handler can return, for any route. */
export type Sendable = ApiResponse | Prepared | Streamed | Live

export function isPrepared(handled: Sendable): handled is Prepared {
  return 'kind' in handled && handled.kind === 'prepared'
}

function isStreamed(handled: Sendable): handled is Streamed {
  return 'kind' in handled && handled.kind === 'streamed'
}

function isLive(handled: Sendable): handled is Live {
  return 'kind' in handled && handled.kind === 'live'
}

/** The kind of a reply, `prepared` for a prepared body, `streamed` for a file, `live` for a live stream. */
export function kindOf(handled: Sendable): string {
  return 'kind' in handled ? handled.kind : handled.reply.kind
}

function retryAfterS(data: unknown): string {
  const { timeLeft } = data as { readonly timeLeft: number }
  return String(Math.ceil(timeLeft / 1000))
}

function bodyOf(route: Route | null, response: ApiResponse): string {
  const { status, message } = response.reply
  if (route?.text) return status === 200 ? String(response.data) : message
  return route?.unwrapped && status === 200 ? JSON.stringify(response.data) : envelope(response)
}

function typeOf(route: Route | null, status: number): string {
  if (!route?.text) return JSON_TYPE
  return status === 200 ? route.text.type : TEXT_TYPE
}

function isCacheable({ route }: Exchange, status: number): boolean {
  return status === 200 && route?.method === 'GET' && !route.secret
}

async function sendBody(exchange: Exchange, status: number, prepared: Prepared): Promise<void> {
  const { request, reply } = exchange
  const coding = pickCoding(request.headers['accept-encoding'], prepared.body.length)
  reply
    .header('content-type', typeOf(exchange.route, status))
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding')
  if (isCacheable(exchange, status)) {
    const maxAgeS = exchange.route?.text?.maxAgeS
    const control = maxAgeS === undefined ? 'private, no-cache' : `public, max-age=${maxAgeS}`
    reply.header('cache-control', control).header('etag', taggedFor(prepared.etag, coding))
    if (isFresh(request.headers['if-none-match'], prepared.etag)) {
      reply.removeHeader('content-type')
      await reply.code(304).send()
      return
    }
  } else {
    reply.header('cache-control', 'no-store')
  }
  if (coding) reply.header('content-encoding', coding)
  await reply.code(status).send(coding ? await encode(prepared, coding) : prepared.body)
}

// A strong ETag identifies exact bytes, so each content coding has a different one.
export function taggedFor(etag: string, coding: string | null): string {
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag
}

/** Whether `If-None-Match` contains the ETag in any content coding. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const prefix = etag.slice(0, -1)
  return ifNoneMatch.split(',', 32).some((tag) => {
    const strong = tag.trim().replace(/^W\//, '')
    return strong === etag || strong === `${prefix}-br"` || strong === `${prefix}-gzip"`
  })
}
