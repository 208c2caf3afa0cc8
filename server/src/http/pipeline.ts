import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import * as replies from '@pennant/contract/replies.ts'
import type { Answer, BodyCap, CaptchaAction, MaximumName, Route } from '@pennant/contract/route.ts'
import { UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { AbortedError, isPlain, parseJson, readBody } from './body.ts'
import { clientAddress, type ProxyRules } from './client-address.ts'
import type { Actor, Call, Endpoint, ReadHead } from './handler.ts'
import type { Prepared } from './prepared.ts'
import { isPrepared, send } from './send.ts'
import { endWhenLate, usualTimeLimits, type TimeLimits } from './time-limits.ts'
import { check, refuse } from './validate.ts'

/** What the pipeline knows of the deployment and the event. */
export interface PipelineDeps {
  readonly now: () => number
  /** The effective event window. */
  readonly eventWindow: () => { readonly startTime: number; readonly endTime: number }
  /** The team of a bearer token; null when the token is none of an existing team. */
  readonly authenticate: (token: string) => Promise<Actor | null>
  /** Null when this deployment takes no service tokens. */
  readonly isService: ((token: string) => boolean) | null
  readonly captcha: CaptchaGate
  readonly maxima: Readonly<Record<MaximumName, number>>
  readonly bodyCaps: Readonly<Record<BodyCap, number>>
  readonly proxy: ProxyRules
  readonly log: Log
  readonly timeLimits?: TimeLimits
  /** Told of each answer: `kind` is `prepared` for a body rendered before. */
  readonly onAnswer: (route: Route, kind: string) => void
}

export interface CaptchaGate {
  readonly isProtected: (action: CaptchaAction) => boolean
  readonly verify: (code: string | undefined, ip: string) => Promise<boolean>
}

/** Compiles one endpoint: the checks in the order of the contract (participant 2), then the handler. */
export function compile(endpoint: Endpoint, deps: PipelineDeps) {
  const { route, handle } = endpoint
  const steps = stepsOf(endpoint, deps)
  const bodyMs = (deps.timeLimits ?? usualTimeLimits).bodyMs(deps.bodyCaps[route.bodyCap ?? 'json'])
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const exchange = { route, request, reply }
    let handled: Answer | Prepared
    if (route.body || route.form) endWhenLate(request.raw, bodyMs)
    try {
      const ip = clientAddress(request, deps.proxy)
      const draft: Draft = { request, ip, team: null, body: undefined, signature: null }
      handled = (await firstRefusal(steps, draft)) ?? (await handle(callOf(draft)))
    } catch (error) {
      if (error instanceof AbortedError) {
        reply.hijack()
        request.raw.destroy()
        return
      }
      handled = failureOf(error, route, deps.log)
    }
    deps.onAnswer(route, isPrepared(handled) ? 'prepared' : handled.reply.kind)
    await send(exchange, handled)
  }
}

/** What the steps have found out so far. */
interface Draft {
  readonly request: FastifyRequest
  readonly ip: string
  team: Actor | null
  params?: unknown
  query?: unknown
  body: unknown
  signature: string | null
  /** The body as it came, when a step before the body's own had to read it. */
  bytes?: Buffer
}

type Step = (draft: Draft) => Answer | null | Promise<Answer | null>

async function firstRefusal(steps: readonly Step[], draft: Draft): Promise<Answer | null> {
  for (const step of steps) {
    const result = step(draft)
    const refusal = result instanceof Promise ? await result : result
    if (refusal) return refusal
  }
  return null
}

function callOf({ request, params, query, body, team, ip, signature }: Draft): Call<Route> {
  const parsed = { params: params as never, query: query as never, body: body as never }
  return { ...parsed, team, ip, signature: signature as never, raw: request.raw }
}

function stepsOf({ route, readHead }: Endpoint, deps: PipelineDeps): Step[] {
  const steps: Step[] = []
  const bodyCap = deps.bodyCaps[route.bodyCap ?? 'json']
  // `/things/` is another path than `/things/:id`, though the router takes it for an empty id.
  if (route.params) steps.push(({ request }) => (hasEmptyParam(request) ? replies.badEndpoint() : null))
  if (route.auth === 'service') steps.push(serviceStep(deps))
  if (route.auth === 'signature') steps.push(signatureStep(route, readHead, bodyCap))
  if (route.auth === 'required' || route.auth === 'optional' || (route.auth === 'public' && route.gate)) {
    steps.push(authStep(route, deps))
  }
  if (route.gate) steps.push(gateStep(route.gate, deps))
  // Only the gate may look at the token of a public route.
  if (route.auth === 'public') steps.push((draft) => ((draft.team = null), null))
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
  if (!readHead) throw new Error(`${route.path} has nobody to check its signatures`)
  return async (draft) => {
    const { raw, headers, params } = draft.request
    const signed = readHead({ headers, params: params as Record<string, string> })
    if (!signed) return replies.badSignature()
    const read = await readBody(raw, cap)
    if ('refused' in read) return signed.isDecoy ? replies.badSignature() : read.refused
    draft.signature = signed.accept(read.bytes)
    draft.bytes = read.bytes
    return draft.signature === null ? replies.badSignature() : null
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
    return route.notBanned && draft.team.banned ? replies.badPerms() : null
  }
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
    const { raw } = draft.request
    const read = draft.bytes ? { bytes: draft.bytes } : await readBody(raw, cap)
    if ('refused' in read) return read.refused
    if (!isPlain(raw)) return replies.badJson()
    const json = parseJson(read.bytes)
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

/** The first value of a repeated key counts. */
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

function failureOf(error: unknown, route: Route, log: Log): Answer {
  if (error instanceof UnavailableError) {
    log.warn({ err: error, route: route.path }, 'a store is away')
    return replies.errorUnavailable()
  }
  log.error({ err: error, method: route.method, route: route.path }, 'a request failed')
  return replies.errorInternal()
}
