import { inspect } from 'node:util'
import { allRoutes } from '@pennant/contract/all.ts'
import { declaredReplies } from '@pennant/contract/declared.ts'
import { healthPath, readyPath } from '@pennant/contract/health.ts'
import type { Route } from '@pennant/contract/route.ts'
import type { LogLine } from '../log.ts'
import { checkAnswer } from '../strict.ts'
import type { CallerName, Secret } from './population.ts'
import type { FuzzRequest } from './requests.ts'
import type { WireAnswer } from './wire.ts'

// What must hold of every answer, whatever was asked.

const kinds = new Set(allRoutes.flatMap((route) => declaredReplies(route).map(({ kind }) => kind)))

/** What only the inside of a service says. */
const INSIDE: readonly RegExp[] = [
  /^\s+at .+:\d+/m,
  /node:internal|node_modules|\.[cm]?[jt]s:\d+/,
  /syntax error at or near|violates \S+ constraint|duplicate key value|relation "|invalid input syntax|pg_catalog/,
  /\b(?:ENOENT|EACCES|ENAMETOOLONG|ECONNREFUSED|EISDIR)\b/,
  /\/(?:home|root|tmp|work|var|usr)\//,
]

/** Throws when an answer breaks a promise. */
export function judge(route: Route, request: FuzzRequest, answer: WireAnswer): void {
  const { status, text, headers } = answer
  // The refusal of a large body may be lost with the connection.
  if (status === 413 && text === '') return
  if (status >= 500) throw new Error(`answered ${status} ${text.slice(0, 500)}`)
  if (status >= 300 && status < 400 && status !== 304) throw new Error(`redirects with ${status}`)
  for (const trace of INSIDE) {
    if (trace.test(text)) throw new Error(`tells of its inside (${trace}): ${text.slice(0, 500)}`)
  }
  if (headers['x-content-type-options'] !== 'nosniff') throw new Error(`${status} without nosniff`)
  const stray = Object.keys(headers).find((name) =>
    /^(?:set-cookie|access-control-|x-powered-by|server$)/.test(name),
  )
  if (stray !== undefined) throw new Error(`sends ${stray}`)
  if (status === 304 || request.method === 'HEAD') {
    if (text !== '') throw new Error(`${status} with a body`)
  } else if (request.isFor && !isRefusedByParser(answer)) {
    checkAnswer(route, new Response(null, { status }), route.text ? text : parse(text))
  } else {
    judgeStray(request, answer)
  }
}

/** Too long a head is refused before anyone looks for a route. */
function isRefusedByParser({ status, text, headers }: WireAnswer): boolean {
  return status === 400 && headers['connection'] === 'close' && text.includes('well-formed HTTP')
}

const unwrapped = new Set(allRoutes.flatMap((route) => (route.unwrapped ? [route.path] : [])))
const textPaths = new Set([
  healthPath,
  readyPath,
  ...allRoutes.flatMap(({ path, text }) => (text ? [path] : [])),
])

/** Under `/api` everything is JSON with a kind, but for what is declared to be something else. */
function judgeStray({ path }: FuzzRequest, { status, text, headers }: WireAnswer): void {
  const [pathname = ''] = path.split('?', 1)
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  if (!isJson && (!/^\/api(?:\/|$)/.test(pathname) || textPaths.has(pathname))) return
  const answer = parse(text) as { kind?: unknown; message?: unknown }
  if (status === 200 && answer.kind === undefined && unwrapped.has(pathname)) return
  if (typeof answer.kind !== 'string' || typeof answer.message !== 'string' || !kinds.has(answer.kind)) {
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

/** Who reads an answer of which route. */
export interface Viewer {
  readonly route: Route
  readonly caller: CallerName
  readonly id: string | null
}

/** The first secret in an answer that is not for its reader. */
export function findLeak(viewer: Viewer, text: string, secrets: readonly Secret[]): Secret | null {
  const { route, id, caller } = viewer
  const isStaff =
    (caller === 'organiser' && (route.perms?.length ?? 0) > 0) ||
    (caller === 'service' && route.auth === 'service')
  const mayRead = ({ isForStaff = false, ownerId }: Secret) =>
    (isForStaff && isStaff) || (ownerId !== undefined && ownerId === id)
  return secrets.find((secret) => text.includes(secret.text) && !mayRead(secret)) ?? null
}

/** The log as an operator would read it, errors with all that they carry. */
export function textOfLog(lines: readonly LogLine[]): string {
  return lines
    .map((line) => inspect(line, { depth: 8, maxStringLength: null, breakLength: Infinity }))
    .join('\n')
}

/** Secrets that stand in the log. Addresses are no secret to operators, and belong there no more. */
export function secretsInLog(lines: readonly LogLine[], secrets: readonly Secret[]): Secret[] {
  const text = textOfLog(lines)
  return secrets.filter((secret) => text.includes(secret.text))
}
