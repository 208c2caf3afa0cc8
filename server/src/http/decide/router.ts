import Router from 'find-my-way'
import { aliasPathOf } from '@pennant/contract/aliases.ts'
import type { Route } from '@pennant/contract/route.ts'
import { mayUseCaches } from '../../lib/caching.ts'
import { bodyCapIn } from '../request/body-caps.ts'
import type { FileRoute } from '../response/files.ts'
import type { Endpoint } from '../handler.ts'
import { compile, type Respond } from './pipeline.ts'
import { addressCheck, type CheckedAddress, type PipelineDeps } from './steps.ts'
import { DEFAULT_TIME_LIMITS, type BodyTime } from '../request/time-limits.ts'

export interface RouterDeps extends PipelineDeps {
  readonly endpoints: readonly Endpoint[]
  /** Everything outside the API: the site, uploads, health, metrics. */
  readonly files: readonly FileRoute[]
}

/** What a path leads to. */
export interface Destination {
  /** Null outside the API. */
  readonly route: Route | null
  /** The pattern of its path, which metrics call it by. */
  readonly path: string
  readonly respond: Respond
  /** Null if it reads no body. */
  readonly body: { readonly cap: number; readonly time: BodyTime } | null
  readonly check: ((params: unknown, query: Record<string, unknown>) => CheckedAddress) | null
}

/** A request target: what it leads to, and its parts. */
export interface Target {
  readonly to: Destination
  /** Without percent escapes that cannot be decoded. */
  readonly url: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly known: CheckedAddress | undefined
}

/** Longer than any id in the contract, so that an id that is too long fails validation instead of routing. */
const MAX_PARAM_LENGTH = 4096

/** Bounds of the targets that are kept, about 2 MB. */
const MAX_TARGETS = 4096
const MAX_TARGET_LENGTH = 256

/**
 * Returns what finds the target of a method and an address, or null. Parts of an address of the API are parsed and checked once: they
 * depend on nothing else.
 */
export function createRouter(deps: RouterDeps): (method: string, url: string) => Target | null {
  const router = Router({ maxParamLength: MAX_PARAM_LENGTH })
  const add = (method: Route['method'], to: Destination) => router.on(method, to.path, () => {}, to)
  for (const endpoint of deps.endpoints) {
    const to = ofEndpoint(endpoint, deps)
    add(endpoint.route.method, to)
    const alias = aliasPathOf(endpoint.route)
    // The same compiled endpoint: a second one would double the buckets of its limits.
    if (alias !== undefined) router.on(endpoint.route.method, alias, () => {}, underAlias(to, alias))
  }
  for (const { path, respond } of deps.files)
    add('GET', { route: null, path, respond, body: null, check: null })

  function find(method: string, address: string): Omit<Target, 'known'> | null {
    const url = escapeInvalidPercents(address)
    const found = router.find(method as Route['method'], url)
    return found && { to: found.store as Destination, url, params: found.params, query: found.searchParams }
  }

  const targets = new Map<string, Target>()
  return (requested, address) => {
    const method = requested === 'HEAD' ? 'GET' : requested
    const key = `${method} ${address}`
    const kept = mayUseCaches() ? targets.get(key) : undefined
    if (kept) return kept
    const found = find(method, address)
    if (!found?.to.check || address.length > MAX_TARGET_LENGTH) return found && { ...found, known: undefined }
    const target = { ...found, known: frozen(found.to.check(found.params, found.query)) }
    if (targets.size >= MAX_TARGETS) targets.clear()
    targets.set(key, target)
    return target
  }
}

function ofEndpoint(endpoint: Endpoint, deps: RouterDeps): Destination {
  const { route } = endpoint
  const cap = bodyCapIn(deps.bodyCaps, route)
  const { body } = deps.timeLimits ?? DEFAULT_TIME_LIMITS
  const readsBody = route.body !== undefined || route.form !== undefined
  return {
    route,
    path: route.path,
    respond: compile(endpoint, deps),
    body: readsBody ? { cap, time: body(cap, route.form !== undefined) } : null,
    check: addressCheck(route, deps.maxima),
  }
}

/** Metrics and logs call the request by the path of the route. */
function underAlias(to: Destination, alias: string): Destination {
  return { ...to, respond: (request) => to.respond({ ...request, alias }) }
}

/** Requests share the checked values, so no handler may change them. */
function frozen(known: CheckedAddress): CheckedAddress {
  for (const checked of [known.params, known.query]) {
    if (checked && 'value' in checked) Object.freeze(checked.value)
  }
  return known
}

/**
 * Keeps percent escapes that cannot be decoded as literal text:
 * docs/reference/requests-and-responses.md#paths-and-methods
 */
export function escapeInvalidPercents(url: string): string {
  if (!url.includes('%') || isDecodable(url)) return url
  return url.replace(/(?:%[0-9a-f]{2})+|%/gi, (part) =>
    part !== '%' && isDecodable(part) ? part : part.replaceAll('%', '%25'),
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
