import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'fast-querystring'
import { errorInternal } from '@pennant/contract/replies.ts'
import type { Route } from '@pennant/contract/route.ts'
import type { Endpoint } from './handler.ts'
import { answerOf, type Answer } from './pipeline.ts'
import { mayUseCaches } from '../lib/caching.ts'
import { readHeaders } from './read-headers.ts'
import { isComplete, rendered, requestIdOf, type Asked, type Rendered, type Sendable } from './send.ts'
import { addressCheck, type CheckedAddress, type PipelineDeps } from './steps.ts'
import { keepOpen } from './time-limits.ts'

// The reads of participants, answered before Fastify: docs/decisions/0050-reads-before-the-framework.md

export interface DirectDeps extends PipelineDeps {
  readonly endpoints: readonly Endpoint[]
  /** Sent with every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the Host header is that of the files origin, which does not serve the API. */
  readonly isFilesHost?: (host: string | undefined) => boolean
  /** False while the server shuts down. */
  readonly isListening: () => boolean
  /** Returns what counts the responses of a route. */
  readonly counterOf?: (method: string, route: string) => (status: number, ms: number) => void
}

/** Answers a request, or returns false and leaves it untouched for the framework. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean

interface DirectRoute {
  readonly route: Route
  readonly answer: Answer
  readonly check: ReturnType<typeof addressCheck>
  readonly count: (status: number, ms: number) => void
}

/** A request target that was seen before: its route, and its parts, which were parsed and checked once. */
interface Target {
  readonly to: DirectRoute
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly known: CheckedAddress
}

/** Bounds of the targets that are kept, about 2 MB. Longer ones are left to the framework. */
const MAX_TARGETS = 4096
const MAX_TARGET_LENGTH = 256
/** Characters that both routers read in the same way. No percent escapes. */
const PLAIN = /^\/api\/[\w\-./~]+(?:\?[\w\-.~=&]*)?$/

/** Returns null where every request has to take the long way, because it is traced. */
export function createDirect(deps: DirectDeps): Direct | null {
  if (deps.tracing) return null
  const { isFilesHost = () => false } = deps
  const targetOf = createTargets(deps)
  const respond = createResponder(deps)
  return (request, response) => {
    if (request.method !== 'GET' || request.httpVersion !== '1.1') return false
    const headers = readHeaders(request)
    if (!isPlain(headers) || isFilesHost(headers.host)) return false
    const target = targetOf(request.url ?? '')
    if (!target) return false
    const { to, params, query, known } = target
    countWhenSent(response, to.count)
    const handled = to.answer({ raw: request, headers, params, query, known })
    respond({ route: to.route, raw: request, headers, response }, handled)
    return true
  }
}

/** Without a body. Everything unusual is left to the framework and its hooks. */
function isPlain({
  host,
  'content-length': length,
  'transfer-encoding': coding,
}: IncomingHttpHeaders): boolean {
  return host !== undefined && length === undefined && coding === undefined
}

/** A response on its way. Kept on the response itself, so that one listener serves all of them. */
const pending = Symbol('pending')

interface Pending {
  readonly count: DirectRoute['count']
  readonly startedAt: number
}

function countWhenSent(response: ServerResponse & { [pending]?: Pending }, count: Pending['count']): void {
  response[pending] = { count, startedAt: performance.now() }
  response.on('finish', countSent)
}

function countSent(this: ServerResponse & { [pending]?: Pending }): void {
  const sent = this[pending]
  sent?.count(this.statusCode, performance.now() - sent.startedAt)
}

/** Returns the route of a request target with its checked parts, or null if the framework has to find it. */
function createTargets(deps: DirectDeps): (url: string) => Target | null {
  const find = createRouter(deps)
  const targets = new Map<string, Target>()
  return (url) => {
    const found = mayUseCaches() ? targets.get(url) : undefined
    if (found) return found
    if (url.length > MAX_TARGET_LENGTH || !PLAIN.test(url)) return null
    const [path = '', search = ''] = url.split('?', 2)
    const match = find(path)
    if (!match) return null
    const { to, params } = match
    const query = search === '' ? {} : parse(search)
    const target = { to, params, query, known: frozen(to.check(params, query)) }
    if (targets.size >= MAX_TARGETS) targets.clear()
    targets.set(url, target)
    return target
  }
}

/** Requests share the checked values, so no handler may change them. */
function frozen(known: CheckedAddress): CheckedAddress {
  for (const checked of [known.params, known.query]) {
    if (checked && 'value' in checked) Object.freeze(checked.value)
  }
  return known
}

interface Match {
  readonly to: DirectRoute
  readonly params: Readonly<Record<string, string>>
}

/** Finds what Fastify's router would find for a plain path: a fixed path first, then the only pattern that matches. */
function createRouter(deps: DirectDeps): (path: string) => Match | null {
  const reads = deps.endpoints.filter(({ route }) => route.method === 'GET')
  const routes = reads.map((endpoint) => ({
    segments: endpoint.route.path.split('/'),
    to: direct(endpoint, deps),
  }))
  const fixed = new Map(reads.map(({ route }, at) => [route.path, routes[at]?.to ?? null]))
  const patterns = routes.filter(({ segments }) => segments.some((segment) => segment.startsWith(':')))
  return (path) => {
    const to = fixed.get(path)
    if (to !== undefined) return to && { to, params: {} }
    const parts = path.split('/')
    const [first, second] = patterns.filter(({ segments }) => matches(segments, parts))
    return first?.to && !second ? { to: first.to, params: paramsOf(first.segments, parts) } : null
  }
}

function matches(segments: readonly string[], parts: readonly string[]): boolean {
  return (
    segments.length === parts.length &&
    segments.every((segment, at) => (segment.startsWith(':') ? parts[at] !== '' : segment === parts[at]))
  )
}

function paramsOf(segments: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> {
  const named = segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [[segment.slice(1), parts[at] ?? ''] as const] : [],
  )
  return Object.fromEntries(named)
}

/** Null for routes whose responses are streams or text, and for routes of organisers, who are few. */
function direct(endpoint: Endpoint, deps: DirectDeps): DirectRoute | null {
  const { route } = endpoint
  if (route.text || route.file || route.perms || route.auth === 'service') return null
  return {
    route,
    answer: answerOf(endpoint, deps),
    check: addressCheck(route, deps.maxima),
    count: deps.counterOf?.(route.method, route.path) ?? (() => {}),
  }
}

interface Exchange extends Asked {
  readonly route: Route
  readonly response: ServerResponse
}

function createResponder({ headers = {}, isListening, log }: DirectDeps) {
  const always = Object.entries(headers).flat()

  function write(response: ServerResponse, made: Rendered): void {
    const isUsual = always.length === 0 && isListening()
    response.writeHead(made.status, isUsual ? made.headers : withMore(made.headers))
    response.end(made.body ?? undefined)
  }

  function withMore(own: readonly string[]): string[] {
    const closing = isListening() ? [] : ['connection', 'close']
    return [...own, ...always, ...closing]
  }

  function finish(exchange: Exchange, handled: Sendable | null): void | Promise<void> {
    const { route, response } = exchange
    if (!handled || !isComplete(handled)) throw new Error(`${route.path}: not a complete response`)
    const made = rendered(exchange, handled)
    if (!(made instanceof Promise)) return write(response, made)
    return made.then((whole) => write(response, whole))
  }

  function failed(exchange: Exchange, error: unknown): void {
    const { route, raw, response } = exchange
    const requestId = requestIdOf(raw)
    log.error({ err: error, requestId, method: raw.method, route: route.path }, 'request failed')
    const made = rendered(exchange, errorInternal())
    if (made instanceof Promise || response.headersSent) response.destroy()
    else write(response, made)
  }

  return (exchange: Exchange, handled: ReturnType<Answer>): void => {
    try {
      const done =
        handled instanceof Promise
          ? handled.then((late) => finish(exchange, late))
          : finish(exchange, handled)
      if (!done) return
      keepOpen(exchange.response)
      done.catch((error: unknown) => failed(exchange, error))
    } catch (error) {
      failed(exchange, error)
    }
  }
}
