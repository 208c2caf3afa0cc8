import { parse } from 'fast-querystring'
import type { Route } from '@pennant/contract/route.ts'
import { mayUseCaches } from '../lib/caching.ts'
import { bodyCapIn } from './body-caps.ts'
import type { Endpoint } from './handler.ts'
import { answerOf, type Answer } from './pipeline.ts'
import { addressCheck, type CheckedAddress, type PipelineDeps } from './steps.ts'
import { DEFAULT_TIME_LIMITS, type BodyTime } from './time-limits.ts'

export interface TargetDeps extends PipelineDeps {
  readonly endpoints: readonly Endpoint[]
  /** Returns what counts the responses of a route. */
  readonly counterOf?: (method: string, route: string) => (status: number, ms: number) => void
}

export type Count = (status: number, ms: number) => void

/** A route that is answered without the framework. */
export interface DirectRoute {
  readonly route: Route
  readonly answer: Answer
  readonly check: ReturnType<typeof addressCheck>
  readonly count: Count
  /** Largest body in bytes, and its time limit. */
  readonly bodyCap: number
  readonly bodyTime: BodyTime
}

/** A request target that was seen before: its route, and its parts, which were parsed and checked once. */
export interface Target {
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

/** Returns the route of a request target with its checked parts, or null if the framework has to find it. */
export function createTargets(deps: TargetDeps, method: 'GET' | 'POST'): (url: string) => Target | null {
  const find = createRouter(deps, method)
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
function createRouter(deps: TargetDeps, method: 'GET' | 'POST'): (path: string) => Match | null {
  const endpoints = deps.endpoints.filter(({ route }) => route.method === method)
  const routes = endpoints.map((endpoint) => ({
    segments: endpoint.route.path.split('/'),
    to: direct(endpoint, deps),
  }))
  const fixed = new Map(endpoints.map(({ route }, at) => [route.path, routes[at]?.to ?? null]))
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

/** Null for routes with files, forms or signatures, and for those of organisers, who are few. */
function direct(endpoint: Endpoint, deps: TargetDeps): DirectRoute | null {
  const { route } = endpoint
  if (route.file || route.form || route.perms) return null
  if (route.auth === 'service' || route.auth === 'signature') return null
  if (route.method !== 'GET' && !route.body) return null
  const bodyCap = bodyCapIn(deps.bodyCaps, route)
  const limits = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  return {
    route,
    answer: answerOf(endpoint, deps),
    check: addressCheck(route, deps.maxima),
    count: deps.counterOf?.(route.method, route.path) ?? (() => {}),
    bodyCap,
    bodyTime: limits.body(bodyCap, false),
  }
}
