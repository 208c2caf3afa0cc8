import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse, BodyCap, CaptchaAction, MaximumName, Route } from '@pennant/contract/route.ts'
import { withOrigin } from '../lib/action-origin.ts'
import { UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Tracing } from '../lib/tracing.ts'
import { AbortedError, isPlain, parseJson, readBody, TinyChunksError, type IncomingBody } from './body.ts'
import { BodyBudgetError, type BodyBudget } from './body-budget.ts'
import { addressKey } from './client-address.ts'
import type { Actor, Call, Endpoint, ReadHead } from './handler.ts'
import { requestLimits, type Limiter } from './limiter.ts'
import { rankOf, type Overload } from './overload.ts'
import type { ProxyTrust, Sender } from './proxy-trust.ts'
import { kindOf, requestIdOf, send, type Exchange, type Sendable } from './send.ts'
import { abortSlowBody, DEFAULT_TIME_LIMITS, type TimeLimits } from './time-limits.ts'
import { check, refuse } from './validate.ts'

/** Everything the pipeline needs from the deployment and the event. */
export interface PipelineDeps {
  readonly now: () => number
  /** The effective event window. */
  readonly eventWindow: () => { readonly startTime: number; readonly endTime: number }
  /** Returns the team of a bearer token, or null if the token is invalid or the team does not exist. */
  readonly authenticate: (token: string) => Promise<Actor | null>
  /** Null if this deployment accepts no service tokens. */
  readonly isService: ((token: string) => boolean) | null
  readonly limiter: Limiter
  readonly captcha: CaptchaGate
  readonly maxima: Readonly<Record<MaximumName, number>>
  readonly bodyCaps: Readonly<Record<BodyCap, number>>
  readonly bodyBudget: BodyBudget
  readonly proxy: ProxyTrust
  readonly log: Log
  /** If absent, no request is refused because of load. */
  readonly overload?: Overload
  readonly timeLimits?: TimeLimits
  /** If absent, nothing is traced. */
  readonly tracing?: Tracing
  /** Called for each response; `kind` is `prepared` for a prepared body, `streamed` for a file, `live` for a live stream. */
  readonly onReply: (route: Route, kind: string) => void
  /** Called with the sender of each request. */
  readonly onSender?: (sender: Sender) => void
  /** Called for each rejected body: over the memory budget, sent too slowly, or in tiny chunks. */
  readonly onBodyRefused?: (reason: 'budget' | 'late' | 'chunks') => void
}

export interface CaptchaGate {
  readonly isProtected: (action: CaptchaAction) => boolean
  readonly verify: (code: string | undefined, ip: string) => Promise<boolean>
}

/**
 * Compiles an endpoint into a Fastify handler: the checks in order, then the endpoint's own handler.
 * docs/reference/requests-and-responses.md#order-of-checks
 */
export function compile(endpoint: Endpoint, deps: PipelineDeps) {
  const { route } = endpoint
  const handle: Handle = isAdministrative(route) ? withRequest(endpoint) : endpoint.handle
  const steps = stepsOf(endpoint, deps)
  const takesBody = route.body !== undefined || route.form !== undefined
  const limits = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  const bodyTime = limits.body(deps.bodyCaps[route.bodyCap ?? 'json'], route.form !== undefined)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const exchange = { route, request, reply }
    let handled: Sendable
    if (takesBody) abortSlowBody(request.raw, bodyTime, () => deps.onBodyRefused?.('late'))
    const sender = deps.proxy.senderOf(request.raw)
    deps.onSender?.(sender)
    const ip = sender.address
    const isUnverified = route.auth === 'signature'
    const account = deps.bodyBudget.open(ownerOf(route, ip), { isUnverified })
    try {
      const incoming = { raw: request.raw, account }
      const draft: Draft = { request, incoming, ip, team: null, body: undefined, signature: null }
      handled = (await firstRefusal(steps, draft)) ?? (await handle(callOf(draft), request))
    } catch (error) {
      if (error instanceof AbortedError) {
        if (error instanceof TinyChunksError) deps.onBodyRefused?.('chunks')
        reply.hijack()
        request.raw.destroy()
        return
      }
      handled = failureOf(error, exchange, deps)
    } finally {
      account.close()
    }
    deps.onReply(route, kindOf(handled))
    await send(exchange, handled)
  }
  return deps.tracing ? traced(answer, route, { ...deps, tracing: deps.tracing }) : answer
}

type Handle = (call: Call<Route>, request: FastifyRequest) => Promise<Sendable> | Sendable

function isAdministrative({ method, perms = [] }: Route): boolean {
  return method !== 'GET' && perms.length > 0
}

/** The action log names the request of each change. */
function withRequest({ route, handle }: Endpoint): Handle {
  const name = `${route.method} ${route.path}`
  return (call, request) => withOrigin({ route: name, requestId: requestIdOf(request) }, () => handle(call))
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Only trusted proxies decide whether a request is traced, and which trace it belongs to. */
function traced(
  answer: Answer,
  { method, path }: Route,
  { tracing, proxy }: { readonly tracing: Tracing; readonly proxy: ProxyTrust },
): Answer {
  const attributes = { 'http.request.method': method, 'http.route': path }
  return async (request, reply) => {
    const { traceparent } = request.headers
    const isTrusted = proxy.isTrustedPeer(request.raw.socket.remoteAddress ?? '')
    const parent = isTrusted && typeof traceparent === 'string' ? { parent: traceparent } : {}
    await tracing.span(`${method} ${path}`, { kind: 'server', attributes, ...parent }, async (span) => {
      await answer(request, reply)
      span.set({ 'http.response.status_code': reply.statusCode })
      if (reply.statusCode < 500) return
      span.set({ 'pennant.request_id': requestIdOf(request) })
      span.failed()
    })
  }
}

/** The owner for the body budget. Routes with permissions or a service token have none and may use all of it. */
function ownerOf({ auth, perms }: Route, ip: string): string | null {
  return auth === 'service' || (perms && perms.length > 0) ? null : addressKey(ip)
}

/** The results of the steps so far. */
interface Draft {
  readonly request: FastifyRequest
  readonly incoming: IncomingBody
  readonly ip: string
  team: Actor | null
  params?: unknown
  query?: unknown
  body: unknown
  signature: string | null
  /** The raw body, if an earlier step had to read it. */
  bytes?: Buffer
}

type Step = (draft: Draft) => ApiResponse | null | Promise<ApiResponse | null>

async function firstRefusal(steps: readonly Step[], draft: Draft): Promise<ApiResponse | null> {
  for (const step of steps) {
    const result = step(draft)
    const refusal = result instanceof Promise ? await result : result
    if (refusal) return refusal
  }
  return null
}

function callOf({ incoming, params, query, body, team, ip, signature }: Draft): Call<Route> {
  const parsed = { params: params as never, query: query as never, body: body as never }
  return { ...parsed, team, ip, signature: signature as never, incoming }
}

function stepsOf({ route, readHead }: Endpoint, deps: PipelineDeps): Step[] {
  const steps: Step[] = []
  const limitStep = requestLimits(route, deps.limiter)
  const bodyCap = deps.bodyCaps[route.bodyCap ?? 'json']
  // The router matches `/things/` as `/things/:id` with an empty id, but it is an unknown path.
  if (route.params) steps.push(({ request }) => (hasEmptyParam(request) ? replies.badEndpoint() : null))
  if (route.auth === 'service') steps.push(serviceStep(deps))
  // Verifying a signature hashes the body even if it is forged, so the rate limit comes first.
  if (route.auth === 'signature' && limitStep) steps.push(limitStep)
  if (route.auth === 'signature') steps.push(signatureStep(route, readHead, bodyCap))
  if (route.auth === 'required' || route.auth === 'optional' || (route.auth === 'public' && route.gate)) {
    steps.push(authStep(route, deps))
  }
  const { overload } = deps
  if (overload) steps.push(overloadStep(route, { ...deps, overload }))
  if (route.gate) steps.push(gateStep(route.gate, deps))
  // On a public route only the gate may use the token, and the prerequisites of challenges.
  if (route.auth === 'public' && !route.personal) steps.push((draft) => ((draft.team = null), null))
  // After authorisation: requests without permission do not use up the limit.
  if (route.auth !== 'signature' && limitStep) steps.push(limitStep)
  if (route.body) steps.push(bodyStep(route.body, bodyCap))
  if (route.params) steps.push(paramsStep(route.params))
  if (route.query) steps.push(queryStep(route, route.query, deps.maxima))
  if (route.captcha && route.body) steps.push(captchaStep(route.captcha, deps.captcha))
  return steps
}

function hasEmptyParam(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).includes('')
}

function serviceStep({ isService }: PipelineDeps): Step {
  return ({ request }) => {
    if (!isService) return replies.badEndpoint()
    const token = bearerOf(request)
    return token !== null && isService(token) ? null : replies.badToken()
  }
}

function signatureStep(route: Route, readHead: ReadHead | undefined, cap: number): Step {
  if (!readHead) throw new Error(`${route.path}: readHead is missing`)
  return async (draft) => {
    const { headers, params } = draft.request
    const signed = readHead({ headers, params: params as Record<string, string> })
    if (!signed) return replies.badSignature()
    const onBlock = (bytes: Buffer) => signed.update(bytes)
    const read = await readBody(draft.incoming, { cap, onBlock, isKept: signed.canMatch })
    if ('refused' in read) return signed.isDecoy ? replies.badSignature() : read.refused
    draft.signature = signed.accept()
    if (draft.signature === null) return replies.badSignature()
    draft.bytes = read.body.join()
    return null
  }
}

function authStep(route: Route, { authenticate }: PipelineDeps): Step {
  const required = route.auth === 'required'
  const perms = route.perms ?? []
  return async (draft) => {
    const token = bearerOf(draft.request)
    draft.team = token === null ? null : await authenticate(token)
    if (!required) return null
    if (!draft.team) return replies.badToken()
    if (!hasPermissions(draft.team.perms, perms)) return replies.badPerms()
    if (route.ownTokenOnly && draft.team.isExternal) return replies.badPerms()
    return route.notBanned && draft.team.banned ? replies.badPerms() : null
  }
}

/** Comes after authentication, because a token proves nothing before it. Costs nothing while there is no overload. */
function overloadStep(
  route: Route,
  { overload, authenticate }: Pick<PipelineDeps, 'authenticate'> & { readonly overload: Overload },
): Step {
  const refuseSome = async ({ request, team }: Draft) => {
    const token = team ? null : bearerOf(request)
    const rank = rankOf(route, team ?? (token === null ? null : await authenticate(token)))
    return rank !== null && overload.refuses(rank) ? replies.errorUnavailable() : null
  }
  return (draft) => (overload.level() > 0 ? refuseSome(draft) : null)
}

function gateStep(gate: NonNullable<Route['gate']>, { now, eventWindow }: PipelineDeps): Step {
  const { started, beforeEnd } = gate
  const may = (team: Actor | null, bit: typeof started) => team !== null && hasPermissions(team.perms, [bit])
  return ({ team }) => {
    const { startTime, endTime } = eventWindow()
    const at = now()
    if (at < startTime && !may(team, started)) return replies.badNotStarted()
    if (beforeEnd && at >= endTime && !may(team, beforeEnd)) return replies.badEnded()
    return null
  }
}

function bodyStep(schema: NonNullable<Route['body']>, cap: number): Step {
  return async (draft) => {
    const { incoming } = draft
    if (!draft.bytes) {
      const read = await readBody(incoming, { cap })
      if ('refused' in read) return read.refused
      draft.bytes = read.body.join()
    }
    if (!isPlain(incoming.raw)) return replies.badJson()
    const json = parseJson(draft.bytes)
    // The raw bytes are no longer needed.
    delete draft.bytes
    incoming.account.close()
    if ('refused' in json) return json.refused
    const checked = check('body', schema, json.value)
    if ('refused' in checked) return checked.refused
    draft.body = checked.value
    return null
  }
}

function paramsStep(schema: NonNullable<Route['params']>): Step {
  return (draft) => {
    const checked = check('params', schema, draft.request.params)
    if ('refused' in checked) return checked.refused
    draft.params = checked.value
    return null
  }
}

function queryStep(route: Route, schema: NonNullable<Route['query']>, maxima: PipelineDeps['maxima']): Step {
  const bounds = Object.entries(route.maxima ?? {}).map(([field, name]) => ({ field, max: maxima[name] }))
  return (draft) => {
    const checked = check('query', schema, firstValues(draft.request.query as Record<string, unknown>))
    if ('refused' in checked) return checked.refused
    const values = checked.value as Record<string, unknown>
    for (const { field, max } of bounds) {
      const value = values[field]
      if (typeof value === 'number' && value > max) return refuse('query', field, `must be at most ${max}`)
    }
    draft.query = values
    return null
  }
}

/** Uses the first value of a repeated key. */
function firstValues(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? value[0] : value]),
  )
}

function captchaStep(captcha: NonNullable<Route['captcha']>, gate: CaptchaGate): Step {
  const refusal = captcha.field === 'captchaCode' ? replies.badCaptcha : replies.badLegacyCaptchaCode
  return async ({ body, ip }) => {
    if (!gate.isProtected(captcha.action)) return null
    const code = (body as Record<string, string | undefined>)[captcha.field]
    return (await gate.verify(code, ip)) ? null : refusal()
  }
}

const BEARER = /^bearer /i

function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || !BEARER.test(header)) return null
  const token = header.slice('bearer '.length)
  return token === '' || token.startsWith(' ') ? null : token
}

function failureOf(
  error: unknown,
  { route, request }: Exchange,
  { log, onBodyRefused }: PipelineDeps,
): ApiResponse {
  if (error instanceof BodyBudgetError) {
    onBodyRefused?.('budget')
    return replies.errorUnavailable()
  }
  if (error instanceof UnavailableError) {
    log.warn({ err: error, requestId: requestIdOf(request), route: route?.path }, 'datastore unavailable')
    return replies.errorUnavailable()
  }
  log.error(
    { err: error, requestId: requestIdOf(request), method: request.method, route: route?.path },
    'request failed',
  )
  return replies.errorInternal()
}
