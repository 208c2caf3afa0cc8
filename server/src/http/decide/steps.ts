import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { ALIAS_HEADERS } from '@pennant/contract/aliases.ts'
import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse, CaptchaAction, MaximumName, Route } from '@pennant/contract/route.ts'
import type { VisiblePart } from '@pennant/contract/visibility.ts'
import type { Log } from '../../lib/log.ts'
import type { Tracing } from '../../lib/tracing.ts'
import { fieldRenamer, signatureHeaders } from '../request/aliases.ts'
import { isPlain, parseJson, readBody, type IncomingBody } from '../request/body.ts'
import type { BodyBudget } from '../request/body-budget.ts'
import { bodyCapIn, type BodyCaps } from '../request/body-caps.ts'
import {
  ownsCredentials,
  type Actor,
  type Call,
  type Caller,
  type Endpoint,
  type LimitHead,
  type PersonActor,
  type ReadHead,
} from '../handler.ts'
import { requestLimits, type Limiter } from '../request/limiter.ts'
import { rankOf, type Overload } from './overload.ts'
import { gateStep, refusalOfPermissions, visibilityStep } from './gates.ts'
import type { ProxyTrust, Sender } from '../request/proxy-trust.ts'
import type { TimeLimits } from '../request/time-limits.ts'
import { check, refuse, type Checked } from '../request/validate.ts'

/** A request whose path was found. */
export interface Received {
  /** Null outside the API. */
  readonly route: Route | null
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** Without percent escapes that cannot be decoded. */
  readonly url: string
  readonly params: unknown
  readonly query: unknown
  /** The checked parameters and query, if the address is short enough to be kept. */
  readonly known: CheckedAddress | undefined
  /** The path, if it is another name of the route's. */
  readonly alias?: string
  /** The body, if the process itself makes the request. */
  readonly bytes?: Buffer
}

/** Null for parts that the route does not have. */
export interface CheckedAddress {
  readonly params: Checked | null
  readonly query: Checked | null
}

/** Everything the pipeline needs from the deployment and the event. */
export interface PipelineDeps {
  readonly now: () => number
  /** The effective event window. */
  readonly eventWindow: () => { readonly startTime: number; readonly endTime: number }
  /** Returns whom a bearer token stands for, or null if it is invalid or neither team nor person exists. */
  readonly authenticate: (token: string) => Caller | null | Promise<Caller | null>
  /** Null if this deployment accepts no service tokens. */
  readonly isService: ((token: string) => boolean) | null
  /** The pages that a team must accept before it plays. */
  readonly pagesToAccept?: (teamId: string) => readonly { readonly slug: string; readonly version: number }[]
  readonly limiter: Limiter
  /** Whether the caller may see a part of the event. */
  readonly maySee: (part: VisiblePart, viewer: Actor | null) => boolean
  readonly captcha: CaptchaGate
  readonly maxima: Readonly<Record<MaximumName, number>>
  readonly bodyCaps: BodyCaps
  readonly bodyBudget: BodyBudget
  readonly proxy: ProxyTrust
  readonly log: Log
  /** If absent, no request is refused because of load. */
  readonly overload?: Overload
  readonly timeLimits?: TimeLimits
  /** Only in a public demo. */
  readonly publicDemo?: PublicDemoGate
  /** If absent, nothing is traced. */
  readonly tracing?: Tracing
  /** Called for each response; `kind` is `prepared` for a prepared body, `streamed` for a file, `live` for a live stream. */
  readonly onReply: (route: Route, kind: string) => void
  /** Called with each use of an API token. */
  readonly onApiToken?: (tokenId: string, ip: string) => void
  /** Called with each name of another platform that a request used. */
  readonly onAlias?: (alias: string) => void
  /** Called with the sender of each request. */
  readonly onSender?: (sender: Sender) => void
  /** Called for each rejected body: over the memory budget, sent too slowly, or in tiny chunks. */
  readonly onBodyRefused?: (reason: 'budget' | 'late' | 'chunks') => void
}

export interface CaptchaGate {
  readonly isProtected: (action: CaptchaAction) => boolean
  readonly verify: (code: string | undefined, ip: string) => Promise<boolean>
}

/** The results of the steps so far. */
export interface Draft {
  readonly request: Received
  readonly incoming: IncomingBody
  ip: string
  team: Actor | null
  person: PersonActor | null
  /** As `team`, which public routes do not use. */
  viewer: Actor | null
  params?: unknown
  query?: unknown
  body: unknown
  signature: string | null
  /** Names of another platform were used, so the response has them too. */
  usesAlias: boolean
  /** The raw body, if an earlier step had to read it. */
  bytes?: Buffer
}

export type Step = (draft: Draft) => ApiResponse | null | Promise<ApiResponse | null>

/** What the public demo does to requests, besides their own checks. */
export interface PublicDemoGate {
  /** The first step of a route: refuses it, or applies the limits of the demo. Null if neither is needed. */
  firstStep(route: Route): Step | null
  /** The last step: what a visitor's change stores. */
  lastStep(route: Route): Step | null
}

/** Runs the steps in order up to the first refusal. Returns no promise unless a step has to wait. */
export function firstRefusal(steps: readonly Step[], draft: Draft, from = 0): ReturnType<Step> {
  for (let at = from; at < steps.length; at += 1) {
    const result = steps[at]?.(draft) ?? null
    if (result instanceof Promise)
      return result.then((refusal) => refusal ?? firstRefusal(steps, draft, at + 1))
    if (result) return result
  }
  return null
}

export function callOf(draft: Draft): Call<Route> {
  const { incoming, params, query, body, team, person, viewer, ip, signature } = draft
  return {
    params: params as never,
    query: query as never,
    body: body as never,
    team,
    person: person as never,
    viewer,
    ip,
    signature: signature as never,
    incoming,
  }
}

export function stepsOf(endpoint: Endpoint, deps: PipelineDeps): Step[] {
  const { route } = endpoint
  const { publicDemo } = deps
  const own = ownSteps(endpoint, deps)
  if (!publicDemo) return own
  return [publicDemo.firstStep(route), ...own, publicDemo.lastStep(route)].filter((step) => step !== null)
}

function ownSteps({ route, readHead, limitHead }: Endpoint, deps: PipelineDeps): Step[] {
  const steps: Step[] = []
  const limitStep = requestLimits(route, deps.limiter)
  const bodyCap = bodyCapIn(deps.bodyCaps, route)
  // The router matches `/things/` as `/things/:id` with an empty id, but it is an unknown path.
  if (route.params) steps.push(({ request }) => (hasEmptyParam(request) ? replies.badEndpoint() : null))
  if (route.auth === 'service') steps.push(serviceStep(deps))
  // Verifying a signature hashes the body even if it is forged, so the rate limit comes first.
  if (route.auth === 'signature' && limitStep) steps.push(limitStep)
  if (route.auth === 'signature') steps.push(signatureStep({ route, readHead, cap: bodyCap }, deps))
  if (hasAuthStep(route)) steps.push(authStep(route, deps))
  const { overload } = deps
  if (overload) steps.push(overloadStep(route, { ...deps, overload }))
  if (route.shows?.length) steps.push(visibilityStep(route.shows, deps))
  if (route.gate) steps.push(gateStep(route.gate, deps))
  if (route.needsAcceptance) steps.push(acceptanceStep(deps))
  if (route.scope) steps.push(apiTokenLimitStep(deps))
  // On a public route only the gate may use the token, and the prerequisites of challenges.
  if (route.auth === 'public' && !route.personal)
    steps.push((draft) => ((draft.team = draft.person = null), null))
  // After authorisation: requests without permission do not use up the limit.
  if (route.auth !== 'signature' && limitStep) steps.push(limitStep)
  if (limitHead) steps.push(limitHeadStep(limitHead))
  if (route.body) steps.push(bodyStep(route, route.body, { ...deps, cap: bodyCap }))
  if (route.params) steps.push(paramsStep(route.params))
  if (route.query) steps.push(queryStep(route, route.query, deps.maxima))
  if (route.captcha && route.body) steps.push(captchaStep(route.captcha, deps.captcha))
  return steps
}

function hasEmptyParam(request: Received): boolean {
  return Object.values(request.params as Record<string, string>).includes('')
}

function serviceStep({ isService }: PipelineDeps): Step {
  return ({ request }) => {
    if (!isService) return replies.badEndpoint()
    const token = bearerOf(request)
    return token !== null && isService(token) ? null : replies.badToken()
  }
}

interface SignedParts {
  readonly route: Route
  readonly readHead: ReadHead | undefined
  readonly cap: number
}

function signatureStep({ route, readHead, cap }: SignedParts, { onAlias }: PipelineDeps): Step {
  if (!readHead) throw new Error(`${route.path}: readHead is missing`)
  return async (draft) => {
    const { params } = draft.request
    const named = signatureHeaders(draft.request.headers)
    if (named?.isAlias) onAlias?.(ALIAS_HEADERS)
    const signed = named && readHead({ headers: named.headers, params: params as Record<string, string> })
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

function hasAuthStep({ auth, gate, shows, limitedTo }: Route): boolean {
  const isLimited = gate ?? limitedTo ?? shows?.length
  return auth === 'required' || auth === 'optional' || auth === 'person' || (auth === 'public' && !!isLimited)
}

function authStep(route: Route, { authenticate, onApiToken }: PipelineDeps): Step {
  const { auth, perms = [], orPerms } = route
  const refusal = (caller: Caller | null) => {
    if (auth !== 'required' && auth !== 'person') return null
    if (!caller) return replies.badToken()
    const { team, person } = caller
    if (auth === 'person') return person ? null : replies.badNoPerson()
    if (!team) return replies.badNoTeam()
    const ways = orPerms ? [perms, orPerms] : [perms]
    if (!ways.some((way) => hasPermissions(team.perms, way))) return refusalOfPermissions(team, ways)
    if (route.ownTokenOnly && team.isExternal) return replies.badPerms()
    if (route.captainOnly && !ownsCredentials(team)) return replies.badPerms()
    if (route.scope === null && team.isExternal) return replies.badPerms()
    return route.notBanned && team.banned ? replies.badPerms() : null
  }
  const decide = (draft: Draft, caller: Caller | null) => {
    draft.team = draft.viewer = caller?.team ?? null
    draft.person = caller?.person ?? null
    const apiToken = caller?.team?.apiToken
    if (!apiToken) return refusal(caller)
    onApiToken?.(apiToken.id, draft.ip)
    const { scope = null } = route
    // Also where a token is optional: without it, the response would be that of an anonymous caller.
    return scope === null || !apiToken.scopes.has(scope) ? replies.badScope({ scope }) : refusal(caller)
  }
  return (draft) => {
    const token = bearerOf(draft.request)
    const found = token === null ? null : authenticate(token)
    return found instanceof Promise ? found.then((caller) => decide(draft, caller)) : decide(draft, found)
  }
}

function apiTokenLimitStep({ limiter }: PipelineDeps): Step {
  return ({ team }) => (team?.apiToken ? limiter.take('apiTokenCalls', team.apiToken.id) : null)
}

/** Comes after authentication, because a token proves nothing before it. Costs nothing while there is no overload. */
function overloadStep(
  route: Route,
  { overload, authenticate }: Pick<PipelineDeps, 'authenticate'> & { readonly overload: Overload },
): Step {
  const refuseSome = async ({ request, team }: Draft) => {
    const token = team ? null : bearerOf(request)
    const rank = rankOf(route, team ?? (token === null ? null : ((await authenticate(token))?.team ?? null)))
    return rank !== null && overload.refuses(rank) ? replies.errorUnavailable() : null
  }
  return (draft) => (overload.level() > 0 ? refuseSome(draft) : null)
}

function acceptanceStep({ pagesToAccept }: PipelineDeps): Step {
  return ({ team }) => {
    const pages = team && team.perms === 0 ? (pagesToAccept?.(team.id) ?? []) : []
    if (pages.length === 0) return null
    return replies.badPagesNotAccepted({ pages: pages.map(({ slug, version }) => ({ slug, version })) })
  }
}

function limitHeadStep(limitHead: LimitHead): Step {
  return ({ request, team, ip, incoming }) =>
    limitHead({ params: request.params as Readonly<Record<string, string>>, team, ip, incoming })
}

function bodyStep(
  route: Route,
  schema: NonNullable<Route['body']>,
  { cap, onAlias }: PipelineDeps & { readonly cap: number },
): Step {
  const rename = fieldRenamer(route)
  return async (draft) => {
    const { incoming } = draft
    if (!draft.bytes) {
      const read = await readBody(incoming, { cap })
      if ('refused' in read) return read.refused
      draft.bytes = read.body.join()
    }
    if (!isPlain(incoming)) return replies.badJson()
    const json = parseJson(draft.bytes)
    // The raw bytes are no longer needed.
    delete draft.bytes
    incoming.account.close()
    if ('refused' in json) return json.refused
    const named = rename ? rename(json.value) : { value: json.value, used: [] }
    if ('refused' in named) return named.refused
    for (const alias of named.used) {
      onAlias?.(alias)
      draft.usesAlias = true
    }
    const checked = check('body', schema, named.value)
    if ('refused' in checked) return checked.refused
    draft.body = checked.value
    return null
  }
}

function paramsStep(schema: NonNullable<Route['params']>): Step {
  return (draft) => {
    const { params, known } = draft.request
    const checked = known?.params ?? check('params', schema, params)
    if ('refused' in checked) return checked.refused
    draft.params = checked.value
    return null
  }
}

function queryStep(route: Route, schema: NonNullable<Route['query']>, maxima: PipelineDeps['maxima']): Step {
  const checkIt = queryCheck(route, schema, maxima)
  return (draft) => {
    const { query, known } = draft.request
    const checked = known?.query ?? checkIt(query as Record<string, unknown>)
    if ('refused' in checked) return checked.refused
    draft.query = checked.value
    return null
  }
}

function queryCheck(route: Route, schema: NonNullable<Route['query']>, maxima: PipelineDeps['maxima']) {
  const bounds = Object.entries(route.maxima ?? {}).map(([field, name]) => ({ field, max: maxima[name] }))
  return (query: Record<string, unknown>): Checked => {
    const checked = check('query', schema, firstValues(query))
    if ('refused' in checked) return checked
    const values = checked.value as Record<string, unknown>
    for (const { field, max } of bounds) {
      const value = values[field]
      if (typeof value === 'number' && value > max)
        return { refused: refuse('query', field, `must be at most ${max}`) }
    }
    return checked
  }
}

/** Returns the checks of a request's address, whose results depend on nothing else. */
export function addressCheck(
  route: Route,
  maxima: PipelineDeps['maxima'],
): (params: unknown, query: Record<string, unknown>) => CheckedAddress {
  const { params: paramsSchema, query: querySchema } = route
  const checkQuery = querySchema && queryCheck(route, querySchema, maxima)
  return (params, query) => ({
    params: paramsSchema ? check('params', paramsSchema, params) : null,
    query: checkQuery?.(query) ?? null,
  })
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

function bearerOf(request: Received): string | null {
  const header = request.headers.authorization
  if (header === undefined || !BEARER.test(header)) return null
  const token = header.slice('bearer '.length)
  return token === '' || token.startsWith(' ') ? null : token
}
