import { inAliases } from '@pennant/contract/aliases.ts'
import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import { withOrigin } from '../../lib/action-origin.ts'
import { UnavailableError } from '../../lib/errors.ts'
import type { Tracing } from '../../lib/tracing.ts'
import { AbortedError, TinyChunksError } from '../request/body.ts'
import { BodyBudgetError, type BodyAccount } from '../request/body-budget.ts'
import { addressKey } from '../request/client-address.ts'
import type { Call, Endpoint } from '../handler.ts'
import type { Live } from '../response/live.ts'
import type { ProxyTrust } from '../request/proxy-trust.ts'
import {
  isLive,
  isResponse,
  kindOf,
  logRefusal,
  rendered,
  requestIdOf,
  type Rendered,
  type Sendable,
} from '../response/send.ts'
import { callOf, firstRefusal, stepsOf, type Draft, type PipelineDeps, type Received } from './steps.ts'

/** What is sent. Null if the client closed the connection while it was sending. */
export type Outcome = Rendered | Live | null

/** Returns a promise only if something has to be waited for. */
export type Respond = (request: Received) => Outcome | Promise<Outcome>

type Prepare = (request: Received) => Sendable | null | Promise<Sendable | null>

/** Compiles an endpoint: from a request to what is sent. */
export function compile(endpoint: Endpoint, deps: PipelineDeps): Respond {
  const prepare = preparerOf(endpoint, deps)
  const respond: Respond = (request) => {
    const handled = prepare(request)
    return handled instanceof Promise
      ? handled.then((late) => outcomeOf(request, late))
      : outcomeOf(request, handled)
  }
  return deps.tracing ? traced(respond, endpoint.route, { ...deps, tracing: deps.tracing }) : respond
}

function outcomeOf(request: Received, handled: Sendable | null): Outcome | Promise<Outcome> {
  return handled === null || isLive(handled) ? handled : rendered(request, handled)
}

/**
 * The checks in order, then the endpoint's own handler.
 * docs/reference/requests-and-responses.md#order-of-checks
 */
function preparerOf(endpoint: Endpoint, deps: PipelineDeps): Prepare {
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
      person: null,
      viewer: null,
      params: undefined,
      query: undefined,
      body: undefined,
      signature: null,
      usesAlias: request.alias !== undefined,
      ...(request.bytes && { bytes: request.bytes }),
    }
    if (request.alias !== undefined) deps.onAlias?.(request.alias)
    const done = (handled: Sendable) => {
      account.close()
      deps.onReply(route, kindOf(handled))
      if (!isResponse(handled)) return handled
      logRefusal(deps.log, { route, raw: request.raw }, handled)
      return draft.usesAlias ? inAliases(handled) : handled
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

type Handle = (call: Call<Route>, request: Received) => Promise<Sendable> | Sendable

/** Also what changes credentials, which the action log contains if an organiser does it. */
function isAdministrative({ method, auth, scope, perms = [] }: Route): boolean {
  return method !== 'GET' && (perms.length > 0 || scope === null || auth === 'signature')
}

/** The action log names the request of each change. */
function withRequest({ route, handle }: Endpoint): Handle {
  const name = `${route.method} ${route.path}`
  return (call, request) => {
    const { person, team } = call
    const origin = { route: name, requestId: requestIdOf(request.raw), person, apiToken: team?.apiToken }
    return withOrigin(origin, () => handle(call))
  }
}

/** Only trusted proxies decide whether a request is traced, and which trace it belongs to. */
function traced(
  respond: Respond,
  { method, path }: Route,
  { tracing, proxy }: { readonly tracing: Tracing; readonly proxy: ProxyTrust },
): Respond {
  const attributes = { 'http.request.method': method, 'http.route': path }
  return (request) => {
    const { traceparent } = request.headers
    const isTrusted = proxy.isTrustedPeer(request.raw.socket.remoteAddress ?? '')
    const parent = isTrusted && typeof traceparent === 'string' ? { parent: traceparent } : {}
    return tracing.span(`${method} ${path}`, { kind: 'server', attributes, ...parent }, async (span) => {
      const outcome = await respond(request)
      const status = outcome && !isLive(outcome) ? outcome.status : 200
      span.set({ 'http.response.status_code': status })
      if (status >= 500) {
        span.set({ 'pennant.request_id': requestIdOf(request.raw) })
        span.failed()
      }
      return outcome
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
