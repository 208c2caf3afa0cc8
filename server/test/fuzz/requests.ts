import * as fc from 'fast-check'
import { jsonSchemaOf, type JsonSchema } from '@pennant/contract/json-schema.ts'
import type { Route } from '@pennant/contract/route.ts'
import { bodiesOf } from './bodies.ts'
import { humanCode } from './deployments.ts'
import { forms } from './forms.ts'
import { oddText, overTheWire, words } from './odd-values.ts'
import type { CallerName, Known } from './population.ts'
import { valuesOf, type TextHints } from './schema-values.ts'
import type { WireRequest } from './wire.ts'

/** One malformed request. `isFor` is false if the changed path may belong to another route. */
export interface FuzzRequest extends WireRequest {
  readonly caller: CallerName
  readonly isFor: boolean
  /** Whether to sign the request when it is sent, because a signature is only valid for minutes. */
  readonly isSigned: boolean
}

type Target = Pick<FuzzRequest, 'path' | 'method' | 'isFor'>

/** Requests for a route: valid ones with faults in path, query, headers and body. */
export function requestsFor(route: Route, known: Known): fc.Arbitrary<FuzzRequest> {
  const { query, form } = route
  const hints = hintsOf(known)
  const content = form
    ? forms
    : bodiesOf(route, hints).map((body) => ({ body, contentType: body && 'application/json' }))
  return fc
    .record({
      caller: callerOf(route),
      target: fc.oneof(
        {
          weight: 19,
          arbitrary: fc.record({
            path: pathsOf(route, known),
            method: fc.constant(route.method),
            isFor: fc.constant(true),
          }),
        },
        { weight: 1, arbitrary: strayTargets(route) },
      ),
      query: query
        ? queriesOf(jsonSchemaOf(query, 'input'), hints)
        : fc.constantFrom('', '', '?', '?a=1&a=2', '?%'),
      headers: oddHeaders(known),
      content,
      isSigned: route.auth === 'signature' ? fc.nat(3).map((chance) => chance > 0) : fc.constant(false),
    })
    .map(
      ({
        caller,
        target: { path, method, isFor },
        query: search,
        headers,
        content: { body, contentType },
        isSigned,
      }) => {
        const type = contentType === null ? {} : { 'content-type': contentType }
        const isBodiless = method === 'GET' || method === 'HEAD'
        return {
          caller: callerBy(headers['authorization'], known) ?? caller,
          method,
          path: path + search,
          headers: { ...type, ...authorization(known, caller), ...headers },
          body: isBodiless ? null : body,
          isFor: isFor && hasWholePath(path, route),
          isSigned,
        }
      },
    )
}

function authorization({ tokens }: Known, caller: CallerName): Record<string, string> {
  return caller === 'anonymous' ? {} : { authorization: `Bearer ${tokens[caller]}` }
}

/** The actual caller if the authorization header was replaced; undefined if it was not. */
function callerBy(header: string | undefined, { tokens }: Known): CallerName | undefined {
  if (header === undefined) return undefined
  return header.includes(tokens.player) ? 'player' : 'anonymous'
}

/** Mostly authorised callers, because a request that is rejected at authentication tests nothing else. */
function callerOf({ auth, perms }: Route): fc.Arbitrary<CallerName> {
  const callers = ['anonymous', 'player', 'banned', 'organiser', 'service'] as const
  const fitting = auth === 'service' ? 'service' : perms ? 'organiser' : 'player'
  return fc.oneof(
    ...callers.map((caller) => ({ weight: caller === fitting ? 6 : 1, arbitrary: fc.constant(caller) })),
  )
}

function pathsOf({ path }: Route, { ids }: Known): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ids).map((id) => overTheWire(encodeURIComponent(id))) },
    { weight: 2, arbitrary: oddText },
  )
  const segments = path.split('/').map((part) => (part.startsWith(':') ? segment : fc.constant(part)))
  return fc.tuple(...segments).map((parts) => parts.join('/'))
}

/**
 * Whether the router must match the route: it rejects empty and very long ids, and a `me` route takes
 * precedence.
 */
function hasWholePath(path: string, route: Route): boolean {
  const parts = path.split('/')
  const pattern = route.path.split('/')
  if (parts.length !== pattern.length) return false
  return parts.every(
    (part, at) => !pattern[at]?.startsWith(':') || (part !== '' && part !== 'me' && part.length < 4000),
  )
}

const METHODS = words('GET POST PUT PATCH DELETE HEAD OPTIONS TRACE')
const STRAY_PATHS: readonly string[] = [
  ...words(String.raw`
    /api /api/ /api/v1 /api/v3/challs / /% /index.html%00 /.git/config /.env //evil.example/ /\evil.example
    /uploads/..%2f..%2fetc/passwd /uploads/%00 /uploads/%ff/% /%2e%2e/%2e%2e/etc/passwd /..%5c..%5cwindows`),
  `/${'a'.repeat(9000)}`,
]

function strayTargets({ path, method }: Route): fc.Arbitrary<Target> {
  const plain = path.replace(/:\w+/g, 'x')
  const suffixes = words('/ /../../../etc/passwd %2f ;a=b %00').map((suffix) => plain + suffix)
  const others = [plain.toUpperCase(), `/${plain}`, plain.replace('/api', '/API'), path.replace(/:\w+/g, '')]
  const doubled = [plain.replace(/\//g, '//'), plain.replace(/\//g, '%2f')]
  const strayPath = fc.constantFrom(...STRAY_PATHS, ...suffixes, ...others, ...doubled)
  return fc.oneof(
    strayPath.map((stray) => ({ path: overTheWire(stray), method, isFor: false })),
    fc.constantFrom(...METHODS).map((other) => ({ path: plain, method: other, isFor: false })),
  )
}

function queriesOf(schema: JsonSchema, hints: TextHints): fc.Arbitrary<string> {
  const names = Object.keys((schema['properties'] ?? {}) as object)
  const good = valuesOf(schema, hints).map((value) =>
    Object.entries(value as object).map(
      ([name, text]) => `${name}=${overTheWire(encodeURIComponent(safe(String(text))))}`,
    ),
  )
  const odd = fc
    .tuple(
      fc.constantFrom(...names, '__proto__', 'constructor', 'x', '', `${names[0]}[]`, `${names[0]}[a]`),
      oddText,
    )
    .map(([name, text]) => `${name}=${text}`)
  return fc
    .tuple(good, fc.array(odd, { maxLength: 2 }), fc.boolean(), fc.nat(3))
    .map(([pairs, odds, isFirst, left]) => {
      const kept = left === 0 ? pairs.slice(1) : pairs
      return `?${(isFirst ? [...odds, ...kept] : [...kept, ...odds]).join('&')}`
    })
}

const safe = (text: string) => text.toWellFormed()

/** Usually no odd headers, because a rejected header hides faults in the rest of the request. */
function oddHeaders({ tokens, otherTokens }: Known): fc.Arbitrary<Record<string, string>> {
  const { player, organiser } = tokens
  const bearers = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer  x',
    'Basic YTpi',
    'Bearer \u00ff',
    `Bearer ${'A'.repeat(5000)}`,
    `BEARER ${player}`,
    `Bearer ${player} `,
    `Bearer\t${player}`,
    `Bearer ${player}, x`,
    ...otherTokens.map((token) => `Bearer ${token}`),
  ]
  const values = { ...ODD_HEADERS, authorization: bearers, cookie: [`token=${organiser}`, '__proto__=1'] }
  const one = fc
    .constantFrom(...Object.entries<readonly string[]>(values))
    .chain(([name, texts]) => fc.constantFrom(...texts).map((text) => ({ [name]: text })))
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: one })
}

const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    '',
    'a',
    '/',
    'application/json; charset=utf-16',
    'multipart/form-data',
    '\u00ff',
    'x'.repeat(3000),
  ],
  'content-encoding': ['gzip', 'identity', 'br, gzip', '', 'x'],
  'accept-encoding': ['gzip;q=', 'br;q=0, gzip;q=0.0', '*', ',,,', 'br;q=0,'.repeat(500), 'br'],
  'if-none-match': ['*', '"', 'W/""', '"a", "b"', ','.repeat(2000)],
  range: ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=a-b', `bytes=${'0-1,'.repeat(500)}`],
  accept: ['', 'text/html', '*/*;q=abc'],
  'x-forwarded-for': [
    '::1',
    '"',
    'a, b, c',
    `${'1.2.3.4, '.repeat(300)}x`,
    '\u00ff',
    '1.2.3.4:80',
    '[::1]:80',
  ],
  'x-forwarded-host': ['evil.example', 'a, b'],
  'x-http-method-override': ['DELETE'],
  'transfer-encoding': ['chunked'],
  expect: ['100-continue'],
  origin: ['https://evil.example', 'null'],
}

function hintsOf({ ids, otherTokens, tokens, nextName }: Known): TextHints {
  const token = fc.constantFrom(...otherTokens, tokens.player, '')
  const id = fc.constantFrom(...ids)
  return {
    email: fc.oneof(
      fc.constant(null).map(() => `${nextName()}@fuzz.example`),
      fc.constantFrom(
        'KNOWN@Fuzz.example',
        'a@b',
        ' x@fuzz.example ',
        `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
        'ı@fuzz.example',
      ),
    ),
    name: fc.oneof(
      fc.constant(null).map(() => nextName()),
      fc.constantFrom('Known', ' known ', 'xx', '~~', 'x'.repeat(64)),
      fc.string({ unit: 'grapheme-ascii', minLength: 2, maxLength: 64 }),
    ),
    flag: fc.constantFrom('flag{wrong}', '', ' ', 'flag{x}\n', 'ﬂag'),
    sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
    data: fc.constantFrom(
      'data:text/plain;base64,aGk=',
      'data:,hi',
      'data:;base64,',
      'data:text/plain;base64,%%%',
      'x',
    ),
    provider: fc.constantFrom('flags/static', 'flags/regex', 'flags/dynamic', 'flags/none', '__proto__', ''),
    division: fc.constantFrom('open', 'uni', '__proto__', 'constructor', 'toString', ''),
    search: fc.constantFrom('known', 'te', '%%', '__', '(a+)+$', '\\\\', 'é é'),
    limit: fc.constantFrom('1', '10', '100'),
    offset: fc.constantFrom('0', '1', '1000'),
    verifyToken: token,
    teamToken: token,
    extrankToken: token,
    token,
    code: fc.oneof(token, fc.constantFrom('code', 'odd', 'x')),
    extrankCode: fc.constantFrom('code', 'odd', '', '%00', '\u0000', 'x&client_id=1'),
    captchaCode: fc.constantFrom(humanCode, humanCode, '', 'x'),
    legacyCaptchaCode: fc.constantFrom(humanCode, 'x'),
    clientSecret: token,
    redirectUri: fc.constantFrom('https://wiki.example/back', 'https://wiki.example/', 'javascript:1', '//x'),
    clientId: id,
    challenge: id,
    challengeId: id,
    userId: id,
    id,
  }
}
