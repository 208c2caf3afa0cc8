import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { FORWARDING_HEADERS } from './proxy-trust.ts'

// Node's `request.headers` builds an object of all headers, most of which nothing needs.

/** What decides about a request: who sends it, whether it has a body, and which form of the response is wanted. */
const NAMES: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'authorization',
  'accept-encoding',
  'if-none-match',
  ...FORWARDING_HEADERS,
])

/** Browsers send about 30 lines: 15 names and values in turn. */
const MAX_LINES = 200
/** Spellings of names that are remembered, so that they are not lower-cased each time. */
const MAX_SPELLINGS = 512
const IGNORED = ''
const spellings = new Map<string, string>()

/** The headers that decide about a request, with the same values as `request.headers`. */
export function readHeaders(request: IncomingMessage): IncomingHttpHeaders {
  const { rawHeaders } = request
  if (rawHeaders.length > MAX_LINES) return request.headers
  const found: IncomingHttpHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = nameOf(rawHeaders[at] ?? '')
    if (name === IGNORED) continue
    // Node joins some headers that are repeated, and uses the first of others.
    if (found[name] !== undefined) return request.headers
    found[name] = rawHeaders[at + 1] ?? ''
  }
  return found
}

function nameOf(spelling: string): string {
  const known = spellings.get(spelling)
  if (known !== undefined) return known
  const lower = spelling.toLowerCase()
  const name = NAMES.has(lower) ? lower : IGNORED
  if (spellings.size < MAX_SPELLINGS) spellings.set(spelling, name)
  return name
}
