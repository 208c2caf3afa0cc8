import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import type { Readable } from 'node:stream'
import { isForeignError } from '@pennant/contract/client.ts'
import { attachment } from '../../lib/attachment.ts'
import { countLookups } from '../../lib/cache-counts.ts'
import { mayUseCaches } from '../../lib/caching.ts'
import type { Log } from '../../lib/log.ts'
import { newRequestId } from '../../lib/uuid.ts'
import { compress, encode, mayUseGzip, pickCoding, type Coding } from './encode.ts'
import type { Foreign } from './foreign.ts'
import type { Live } from './live.ts'
import { createBodyPool } from './body-pool.ts'
import { createWriter, gzipBy, writtenBy, type Joined, type Written } from './joined.ts'
import { envelope, preparedBytes, type Prepared } from './prepared.ts'
import type { Streamed } from './streamed.ts'

/** Ids of refused requests, by which a player's report leads to the line in the log. */
const requestIds = new WeakMap<IncomingMessage, string>()

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** `Retry-After` while a datastore is unavailable: reads recover within seconds of it. */
const RETRY_AFTER_S = '2'

/** The same for each call with the same request. Requests that succeed need none. */
export function requestIdOf(request: IncomingMessage): string {
  let id = requestIds.get(request)
  if (id === undefined) requestIds.set(request, (id = newRequestId()))
  return id
}

/** The line to which the id of a refusal leads. Its path is the declared one: that of the client may have secrets. */
export function logRefusal(
  log: Log,
  { route, raw }: Pick<Wanted, 'route' | 'raw'>,
  handled: ApiResponse,
): void {
  const { status, kind } = handled.reply
  if (status < 400) return
  const { reason } = (handled.data ?? {}) as { readonly reason?: string }
  const { method } = raw
  log.debug({ requestId: requestIdOf(raw), method, route: route?.path, status, kind, reason }, 'refused')
}

/** What a handler can return, for any route. */
export type Sendable = ApiResponse | Prepared | Joined | Streamed | Live | Foreign

export function isPrepared(handled: Sendable): handled is Prepared {
  return 'kind' in handled && handled.kind === 'prepared'
}

export function isResponse(handled: Sendable): handled is ApiResponse {
  return 'reply' in handled
}

function isJoined(handled: Sendable): handled is Joined {
  return 'kind' in handled && handled.kind === 'joined'
}

function isStreamed(handled: Sendable): handled is Streamed {
  return 'kind' in handled && handled.kind === 'streamed'
}

function isForeign(handled: Sendable): handled is Foreign {
  return 'kind' in handled && handled.kind === 'foreign'
}

export function isLive(handled: Rendered | Sendable): handled is Live {
  return 'kind' in handled && handled.kind === 'live'
}

/** The kind of a reply, `prepared` for a prepared or joined body, `streamed` for a file, `live` for a live stream. */
export function kindOf(handled: Sendable): string {
  if (!('kind' in handled)) return handled.reply.kind
  return handled.kind === 'joined' ? 'prepared' : handled.kind
}

function retryAfterS(data: unknown): string {
  const { timeLeft } = data as { readonly timeLeft: number }
  return String(Math.ceil(timeLeft / 1000))
}

function bodyOf(route: Route | null, response: ApiResponse): string {
  const { status, message } = response.reply
  if (route?.text) return status === 200 ? String(response.data) : message
  const isUnwrapped = route?.unwrapped && (status === 200 || isForeignError(route, response.data))
  return isUnwrapped ? JSON.stringify(response.data) : envelope(response)
}

function typeOf(route: Route | null, status: number): string {
  if (!route?.text) return JSON_TYPE
  return status === 200 ? route.text.type : TEXT_TYPE
}

function isCacheable(route: Route | null, status: number): boolean {
  return status === 200 && route?.method === 'GET' && !route.secret
}

/** A response as it is sent. */
export interface Rendered {
  readonly status: number
  /** Names and values in turn, as Node's `writeHead` takes them. */
  readonly headers: string[]
  /** Null for none. A stream is sent as it comes. */
  readonly body: Buffer | Readable | null
  /** The memory of the body, which goes back to the pool once the response was sent. */
  readonly lease?: Buffer
}

const NEVER_CACHED = ['cache-control', 'no-store']

/** What decides about the form of a response. */
export interface Wanted {
  readonly route: Route | null
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
}

/**
 * Renders a handler's response: 200 to GET with an ETag, everything else with `no-store`. Returns no promise unless the body
 * has to be compressed. docs/reference/requests-and-responses.md#caching-headers
 */
export function rendered(
  wanted: Wanted,
  handled: ApiResponse | Prepared | Joined | Streamed | Foreign,
): Rendered | Promise<Rendered> {
  const { route, headers } = wanted
  if (isStreamed(handled)) return download(route, handled)
  if (isForeign(handled)) return asItIs(handled)
  if (isJoined(handled)) return renderedOnce(wanted, handled)
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = headers
  if (isPrepared(handled)) {
    const coding = pickCoding(acceptEncoding, handled.body.length)
    const forms = formsOf(route, handled)
    const isKnown = forms.isCacheable && isFresh(ifNoneMatch, handled.etag)
    return isKnown ? forms.unchanged(coding) : forms.whole(coding)
  }
  const { status } = handled.reply
  const body = Buffer.from(bodyOf(route, handled))
  if (isCacheable(route, status)) return rendered(wanted, preparedBytes(body))
  const prefix: string[] = []
  if (status >= 400) prefix.push('x-request-id', requestIdOf(wanted.raw))
  if (status === 503) prefix.push('retry-after', RETRY_AFTER_S)
  // Text has no `timeLeft`.
  if (status === 429 && route?.text) prefix.push('retry-after', retryAfterS(handled.data))
  const coding = pickCoding(acceptEncoding, body.length)
  const form = { status, type: typeOf(route, status), coding, caching: [...prefix, ...NEVER_CACHED] }
  if (!coding) return withBody(form, body)
  return encode(preparedBytes(body, ''), coding).then((bytes) => withBody(form, bytes))
}

function asItIs({ status, type, body }: Foreign): Rendered {
  const content = type === null ? [] : ['content-type', type]
  const headers = [...content, ...COMMON, ...NEVER_CACHED, 'content-length', String(body.length)]
  return { status, headers, body }
}

/** A download that is never cached. */
function download(route: Route | null, { fileName, sizeBytes, content }: Streamed): Rendered {
  const type = route?.file ?? 'application/octet-stream'
  const headers = [
    'content-type',
    type,
    'content-disposition',
    attachment(fileName),
    ...COMMON,
    ...NEVER_CACHED,
  ]
  if (sizeBytes !== null) headers.push('content-length', String(sizeBytes))
  return { status: 200, headers, body: content }
}

/** The memory of bodies that are made for one response. */
export const bodyPool = createBodyPool()
const writer = createWriter(bodyPool)

function renderedOnce({ route, headers }: Wanted, parts: Joined): Rendered | Promise<Rendered> {
  const { etag } = parts
  const coding = codingOf(parts, headers['accept-encoding'])
  const isCached = etag !== '' && isCacheable(route, 200)
  const caching = isCached
    ? ['cache-control', controlOf(route), 'etag', taggedFor(etag, coding)]
    : NEVER_CACHED
  if (isCached && isFresh(headers['if-none-match'], etag))
    return { status: 304, headers: [...COMMON, ...caching], body: null }
  const form = { status: 200, type: typeOf(route, 200), coding, caching } as const
  const whole = ({ lease, length }: Written) => ({ ...withBody(form, lease.subarray(0, length)), lease })
  if (!coding) return whole(writtenBy(writer, parts))
  if (parts.compression === 'whole') return compressed(form, coding, writtenBy(writer, parts))
  const written = gzipBy(writer, parts)
  return written instanceof Promise ? written.then(whole) : whole(written)
}

function codingOf({ compression, expectedBytes }: Joined, accepted: string | undefined): Coding | null {
  if (compression === 'none') return null
  if (compression === 'whole') return pickCoding(accepted, expectedBytes)
  return mayUseGzip(accepted, expectedBytes) ? 'gzip' : null
}

async function compressed(form: Form, coding: Coding, { lease, length }: Written): Promise<Rendered> {
  const bytes = await compress(lease.subarray(0, length), coding)
  bodyPool.release(lease)
  return withBody(form, bytes)
}

function controlOf(route: Route | null): string {
  const maxAgeS = route?.text?.maxAgeS
  return maxAgeS === undefined ? 'private, no-cache' : `public, max-age=${maxAgeS}`
}

interface Form {
  readonly status: number
  readonly type: string
  readonly coding: Coding | null
  /** The headers that concern caches. */
  readonly caching: readonly string[]
}

const COMMON = ['x-content-type-options', 'nosniff', 'vary', 'accept-encoding']

function withBody({ status, type, coding, caching }: Form, body: Buffer): Rendered {
  const headers = ['content-type', type, ...COMMON, ...caching, 'content-length', String(body.length)]
  if (coding) headers.push('content-encoding', coding)
  return { status, headers, body }
}

/** A prepared body in the content codings that the client accepts, with its headers. */
interface Forms {
  readonly route: Route | null
  readonly isCacheable: boolean
  whole(coding: Coding | null): Rendered | Promise<Rendered>
  /** For a client that has it. */
  unchanged(coding: Coding | null): Rendered
}

// Keyed by the prepared object, like its compressed bodies: a body that many clients read is sent without any work.
/** A miss compresses the body. */
const countCompressed = countLookups('compressed bodies', Infinity)
const allForms = new WeakMap<Prepared, Forms>()

function formsOf(route: Route | null, prepared: Prepared): Forms {
  if (!mayUseCaches()) return createForms(route, prepared)
  const found = allForms.get(prepared)
  if (found?.route === route) return found
  const made = createForms(route, prepared)
  allForms.set(prepared, made)
  return made
}

function createForms(route: Route | null, prepared: Prepared): Forms {
  const cacheable = isCacheable(route, 200)
  const control = controlOf(route)
  const type = typeOf(route, 200)
  const whole = new Map<Coding | null, Rendered>()

  function cachingOf(coding: Coding | null): readonly string[] {
    return cacheable ? ['cache-control', control, 'etag', taggedFor(prepared.etag, coding)] : NEVER_CACHED
  }

  function keep(coding: Coding | null, body: Buffer): Rendered {
    const made = withBody({ status: 200, type, coding, caching: cachingOf(coding) }, body)
    whole.set(coding, made)
    return made
  }

  return {
    route,
    isCacheable: cacheable,
    whole(coding) {
      const known = whole.get(coding)
      if (coding) countCompressed(known !== undefined)
      if (known) return known
      return coding ? encode(prepared, coding).then((body) => keep(coding, body)) : keep(null, prepared.body)
    },
    unchanged: (coding) => ({ status: 304, headers: [...COMMON, ...cachingOf(coding)], body: null }),
  }
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
