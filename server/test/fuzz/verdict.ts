import { inspect } from 'node:util'
import { allRoutes } from '@pennant/contract/all.ts'
import { isForeignError } from '@pennant/contract/client.ts'
import { declaredReplies } from '@pennant/contract/declared.ts'
import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import type { Route } from '@pennant/contract/route.ts'
import type { LogLine } from '../log.ts'
import { checkResponse } from '../strict.ts'
import type { CallerName, Secret } from './population.ts'
import type { FuzzRequest } from './requests.ts'
import type { WireResponse } from './wire.ts'

// What every response must satisfy, whatever the request.

const kinds = new Set(allRoutes.flatMap((route) => declaredReplies(route).map(({ kind }) => kind)))

/** Text that only occurs inside a service, such as stack traces. */
const INSIDE: readonly RegExp[] = [
  /^\s+at .+:\d+/m,
  /node:internal|node_modules|\.[cm]?[jt]s:\d+/,
  /syntax error at or near|violates \S+ constraint|duplicate key value|relation "|invalid input syntax|pg_catalog/,
  /\b(?:ENOENT|EACCES|ENAMETOOLONG|ECONNREFUSED|EISDIR)\b/,
  /\/(?:home|root|tmp|work|var|usr)\//,
]

/** Throws if a response violates one of these rules. */
export function judge(route: Route, request: FuzzRequest, response: WireResponse): void {
  const { status, text, headers } = response
  // The response to an oversized body may be lost when the connection closes.
  if (status === 413 && text === '') return
  if (status >= 500) throw new Error(`answered ${status} ${text.slice(0, 500)}`)
  if (status >= 300 && status < 400 && status !== 304) throw new Error(`redirects with ${status}`)
  for (const trace of INSIDE) {
    if (trace.test(text)) throw new Error(`reveals its inside (${trace}): ${text.slice(0, 500)}`)
  }
  if (headers['x-content-type-options'] !== 'nosniff') throw new Error(`${status} without nosniff`)
  const stray = Object.keys(headers).find((name) =>
    /^(?:set-cookie|access-control-|x-powered-by|server$)/.test(name),
  )
  if (stray !== undefined) throw new Error(`sends ${stray}`)
  if (status === 304 || request.method === 'HEAD') {
    if (text !== '') throw new Error(`${status} with a body`)
  } else if (request.isFor && !isRefusedByParser(response)) {
    const received = new Response(null, { status })
    const isRaw = route.text !== undefined || (route.file !== undefined && received.ok)
    checkResponse(route, received, isRaw ? text : parse(text))
  } else {
    judgeStray(request, response)
  }
}

/** The HTTP parser rejects an oversized head before routing. */
function isRefusedByParser({ status, text, headers }: WireResponse): boolean {
  return status === 400 && headers['connection'] === 'close' && text.includes('well-formed HTTP')
}

const unwrapped = new Map(allRoutes.flatMap((route) => (route.unwrapped ? [[route.path, route]] : [])))
const textPaths = new Set([
  HEALTH_PATH,
  READY_PATH,
  ...allRoutes.flatMap(({ path, text, file }) => (text || file !== undefined ? [path] : [])),
])

/** Every response under `/api` is JSON with a kind, unless its route declares another type. */
function judgeStray({ path }: FuzzRequest, { status, text, headers }: WireResponse): void {
  const [pathname = ''] = path.split('?', 1)
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  if (!isJson && (!/^\/api(?:\/|$)/.test(pathname) || textPaths.has(pathname))) return
  const response = parse(text) as { kind?: unknown; message?: unknown }
  const foreign = response.kind === undefined ? unwrapped.get(pathname) : undefined
  if (foreign && (status === 200 || isForeignError(foreign, response))) return
  if (
    typeof response.kind !== 'string' ||
    typeof response.message !== 'string' ||
    !kinds.has(response.kind)
  ) {
    throw new Error(`no envelope at a stray path: ${status} ${text.slice(0, 200)}`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the body is no JSON: ${text.slice(0, 300)}`)
  }
}

/** Who reads the response of which route. */
export interface Viewer {
  readonly route: Route
  readonly caller: CallerName
  readonly id: string | null
}

/** The first secret in a response that its reader may not see. */
export function findLeak(viewer: Viewer, text: string, secrets: readonly Secret[]): Secret | null {
  const { route, id, caller } = viewer
  const isStaff =
    (caller === 'organiser' && (route.perms?.length ?? 0) > 0) ||
    (caller === 'service' && route.auth === 'service')
  const mayRead = ({ isForStaff = false, ownerId }: Secret) =>
    (isForStaff && isStaff) || (ownerId !== undefined && ownerId === id)
  return secrets.find((secret) => text.includes(secret.text) && !mayRead(secret)) ?? null
}

/** The log as an operator reads it, with all properties of errors. */
export function textOfLog(lines: readonly LogLine[]): string {
  return lines
    .map((line) => inspect(line, { depth: 8, maxStringLength: null, breakLength: Infinity }))
    .join('\n')
}

/**
 * Secrets that occur in the log. Addresses are not secret to operators, but the log must not contain them
 * either.
 */
export function secretsInLog(lines: readonly LogLine[], secrets: readonly Secret[]): Secret[] {
  const text = textOfLog(lines)
  return secrets.filter((secret) => text.includes(secret.text))
}
