import type { Answer, Route } from '@pennant/contract/route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode, pickCoding } from './encode.ts'
import { envelope, preparedBytes, type Prepared } from './prepared.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** What `Retry-After` says when a store is away: reads come back within seconds of it. */
const RETRY_AFTER_S = '2'

/** Sends a handler's answer by the caching rules of ruling 6: 200 of GET with an ETag, all else `no-store`. */
export async function send(exchange: Exchange, handled: Answer | Prepared): Promise<void> {
  if (isPrepared(handled)) return sendBody(exchange, 200, handled)
  const { status } = handled.reply
  const body = Buffer.from(bodyOf(exchange.route, handled))
  if (status === 503) exchange.reply.header('retry-after', RETRY_AFTER_S)
  return sendBody(exchange, status, preparedBytes(body, isCacheable(exchange, status) ? undefined : ''))
}

/** One request and what answers it. Without a route the path is unknown. */
export interface Exchange {
  readonly route: Route | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export function isPrepared(handled: Answer | Prepared): handled is Prepared {
  return 'kind' in handled && handled.kind === 'prepared'
}

function bodyOf(route: Route | null, answer: Answer): string {
  const { status, message } = answer.reply
  if (route?.text) return status === 200 ? String(answer.data) : message
  return route?.unwrapped && status === 200 ? JSON.stringify(answer.data) : envelope(answer)
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

// A strong tag names exact bytes, so each coding has its own.
export function taggedFor(etag: string, coding: string | null): string {
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag
}

/** Whether `If-None-Match` names the content, in whatever coding the caller has it. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const wanted = etag.slice(0, -1)
  return ifNoneMatch.split(',', 32).some((tag) => {
    const strong = tag.trim().replace(/^W\//, '')
    return strong === etag || strong === `${wanted}-br"` || strong === `${wanted}-gzip"`
  })
}
