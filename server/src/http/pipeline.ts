import type { FastifyReply, FastifyRequest } from 'fastify'
import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import { withOrigin } from '../lib/action-origin.ts'
import { UnavailableError } from '../lib/errors.ts'
import type { Tracing } from '../lib/tracing.ts'
import { AbortedError, TinyChunksError } from './body.ts'
import { BodyBudgetError, type BodyAccount } from './body-budget.ts'
import { bodyCapIn } from './body-caps.ts'
import { addressKey } from './client-address.ts'
import type { Call, Endpoint } from './handler.ts'
import type { ProxyTrust } from './proxy-trust.ts'
import { isResponse, kindOf, logRefusal, requestIdOf, send, type Sendable } from './send.ts'
import { callOf, firstRefusal, stepsOf, type Draft, type PipelineDeps, type Received } from './steps.ts'
import { abortSlowBody, DEFAULT_TIME_LIMITS } from './time-limits.ts'

/** Null if the client closed the connection while it was sending. A promise only if something has to be waited for. */
export type Answer = (request: Received) => Sendable | null | Promise<Sendable | null>

/**
 * Compiles an endpoint: the checks in order, then the endpoint's own handler.
 * docs/reference/requests-and-responses.md#order-of-checks
 */
export function answerOf(endpoint: Endpoint, deps: PipelineDeps): Answer {
  const { route } = endpoint
  const handle: Handle = isAdministrative(route) ? withRequest(endpoint) : endpoint.handle
  const steps = stepsOf(endpoint, deps)
  const isUnverified = route.auth === 'signature'
  const takesBody = route.body !== undefined || route.form !== undefined || isUnverified
  return (request) => {
    const sender = deps.proxy.senderOf({ headers: request.headers, socket: request.raw.socket })
    deps.onSender?.(sender)
    const ip = sender.address
    const account = takesBody ? deps.bodyBudget.open(ownerOf(route, ip), { isUnverified }) : NO_BODY
    const incoming = { raw: request.raw, headers: request.headers, account }
    const draft: Draft = {
      request,
      incoming,
      ip,
      team: null,
      params: undefined,
      query: undefined,
      body: undefined,
      signature: null,
    }
    const done = (handled: Sendable) => {
      account.close()
      deps.onReply(route, kindOf(handled))
      if (isResponse(handled)) logRefusal(deps.log, { route, raw: request.raw }, handled)
      return handled
    }
    const failed = (error: unknown) => {
      if (!(error instanceof AbortedError)) return done(failureOf(error, { route, request }, deps))
      if (error instanceof TinyChunksError) deps.onBodyRefused?.('chunks')
      account.close()
      return null
    }
    try {
      const refused = firstRefusal(steps, draft)
      const handled =
        refused instanceof Promise
          ? refused.then((refusal) => refusal ?? handle(callOf(draft), request))
          : (refused ?? handle(callOf(draft), request))
      return handled instanceof Promise ? handled.then(done, failed) : done(handled)
    } catch (error) {
      return failed(error)
    }
  }
}

/** The account of a request whose body is never read. */
const NO_BODY: BodyAccount = {
  reserve() {
    throw new Error('the route declares no body')
  },
  release() {},
  close() {},
}

/** The Fastify handler of an endpoint. */
export function compile(endpoint: Endpoint, deps: PipelineDeps) {
  const { route } = endpoint
  const answerIt = answerOf(endpoint, deps)
  const takesBody = route.body !== undefined || route.form !== undefined
  const limits = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  const bodyTime = limits.body(bodyCapIn(deps.bodyCaps, route), route.form !== undefined)
  const exchange = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (takesBody) abortSlowBody(request.raw, bodyTime, () => deps.onBodyRefused?.('late'))
    const handled = await answerIt(request)
    if (handled) return await send({ route, request, reply }, handled)
    reply.hijack()
    request.raw.destroy()
  }
  return deps.tracing ? traced(exchange, route, { ...deps, tracing: deps.tracing }) : exchange
}

type Handle = (call: Call<Route>, request: Received) => Promise<Sendable> | Sendable

function isAdministrative({ method, auth, perms = [] }: Route): boolean {
  return method !== 'GET' && (perms.length > 0 || auth === 'signature')
}

/** The action log names the request of each change. */
function withRequest({ route, handle }: Endpoint): Handle {
  const name = `${route.method} ${route.path}`
  return (call, request) =>
    withOrigin({ route: name, requestId: requestIdOf(request.raw) }, () => handle(call))
}

type Exchange = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Only trusted proxies decide whether a request is traced, and which trace it belongs to. */
function traced(
  exchange: Exchange,
  { method, path }: Route,
  { tracing, proxy }: { readonly tracing: Tracing; readonly proxy: ProxyTrust },
): Exchange {
  const attributes = { 'http.request.method': method, 'http.route': path }
  return async (request, reply) => {
    const { traceparent } = request.headers
    const isTrusted = proxy.isTrustedPeer(request.raw.socket.remoteAddress ?? '')
    const parent = isTrusted && typeof traceparent === 'string' ? { parent: traceparent } : {}
    await tracing.span(`${method} ${path}`, { kind: 'server', attributes, ...parent }, async (span) => {
      await exchange(request, reply)
      span.set({ 'http.response.status_code': reply.statusCode })
      if (reply.statusCode < 500) return
      span.set({ 'pennant.request_id': requestIdOf(request.raw) })
      span.failed()
    })
  }
}

/** The owner for the body budget. Routes with permissions or a service token have none and may use all of it. */
function ownerOf({ auth, perms }: Route, ip: string): string | null {
  return auth === 'service' || (perms && perms.length > 0) ? null : addressKey(ip)
}

function failureOf(
  error: unknown,
  { route, request }: { readonly route: Route; readonly request: Received },
  { log, onBodyRefused }: PipelineDeps,
): ApiResponse {
  if (error instanceof BodyBudgetError) {
    onBodyRefused?.('budget')
    return replies.errorUnavailable()
  }
  if (error instanceof UnavailableError) {
    log.warn({ err: error, requestId: requestIdOf(request.raw), route: route.path }, 'datastore unavailable')
    return replies.errorUnavailable()
  }
  log.error(
    { err: error, requestId: requestIdOf(request.raw), method: request.raw.method, route: route.path },
    'request failed',
  )
  return replies.errorInternal()
}
