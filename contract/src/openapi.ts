import { ALIAS_SIGNATURE_HEADERS, aliasFieldsOf, aliasRoutesOf, SIGNATURE_HEADERS } from './aliases.ts'
import { declaredReplies } from './declared.ts'
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts'
import { HEALTH_PATH, READY_PATH } from './health.ts'
import { describeRoute, tagOf, tagTexts } from './openapi-texts.ts'
import type { AnyReply, Auth, Route } from './route.ts'

/** Every server refuses requests that it cannot read. */
const REFUSED = 'The request is malformed, for example because its headers are too large.'

export interface ApiInfo {
  readonly version: string
  /** The public base URL, without a trailing slash. */
  readonly origin: string
}

/** Describes the routes as an OpenAPI 3.1 document. Pure and deterministic. */
export function openApi(routes: readonly Route[], { version, origin }: ApiInfo): object {
  const aliases = aliasRoutesOf(routes)
  const names = nameReplies([...routes, ...aliases])
  const paths: Record<string, Record<string, object>> = {}
  const add = (route: Route, operation: object) => {
    const path = (paths[route.path.replace(/:(\w+)/g, '{$1}')] ??= {})
    path[route.method.toLowerCase()] = operation
  }
  for (const route of routes) if (isOperation(route)) add(route, operationOf(route, names))
  for (const route of aliases) add(route, { ...operationOf(route, names), deprecated: true })
  Object.assign(paths, healthPaths)
  const used = usedNames(paths)
  const tags = new Set(['health', ...routes.map(tagOf)])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pennant',
      version,
      description:
        'Every response has a `kind`, and each kind has one status. Branch on the kind, never on the message.',
      contact: { name: 'Organisers', url: origin },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: [...tags].toSorted().map((name) => ({ name, description: tagTexts[name] })),
    paths,
    components: {
      schemas: Object.fromEntries(
        [...names].flatMap(([reply, name]) => (used.has(name) ? [[name, envelopeOf(reply)]] : [])),
      ),
      securitySchemes,
    },
  }
}

/** Replies that are sent as text or without the envelope have no schema of it. */
function usedNames(paths: object): ReadonlySet<string> {
  const references = JSON.stringify(paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
  return new Set(Array.from(references, ([, name = '']) => name))
}

/** Not part of the contract's routes, because they are no part of the request pipeline. */
const healthPaths = Object.fromEntries(
  [
    { path: HEALTH_PATH, id: 'getHealthz', summary: 'Whether the process responds.', bad: {} },
    {
      path: READY_PATH,
      id: 'getReadyz',
      summary: 'Whether the process and its datastores can serve requests.',
      bad: { 503: textReply('`unhealthy`: a datastore does not respond, or the process is about to stop.') },
    },
  ].map(({ path, id, summary, bad }) => [
    path,
    {
      get: {
        operationId: id,
        summary,
        description: `${summary} Plain text, needs no token, is not limited.`,
        tags: ['health'],
        security: [],
        parameters: [],
        responses: { 200: textReply('`ok`'), ...bad, 400: { description: REFUSED } },
      },
    },
  ]),
)

function textReply(description: string): object {
  return { description, content: { 'text/plain': { schema: { type: 'string' } } } }
}

const securitySchemes = {
  team: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The auth token of a team, or an API token with the scope that the route names in `x-scope`.',
  },
  service: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret that a service shares with the deployment.',
  },
  timestamp: { type: 'apiKey', in: 'header', name: 'X-SVC-Timestamp', description: 'Unix milliseconds.' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-SVC-Signature',
    description:
      '`sha256=` and the HMAC-SHA256, in lower-case hex, of `<timestamp>.<body>` under the shared secret.',
  },
}

const securityOf: Readonly<Record<Auth, readonly object[]>> = {
  public: [],
  optional: [{}, { team: [] }],
  required: [{ team: [] }],
  person: [{ team: [] }],
  service: [{ service: [] }],
  signature: [{ timestamp: [], signature: [] }],
}

type Names = ReadonlyMap<AnyReply, string>

/**
 * The kind is the name of its envelope's schema. If one kind has different data, each shape gets the version
 * of its first route as a suffix, and a number if the version is not unique.
 */
function nameReplies(routes: readonly Route[]): Names {
  const versions = new Map<AnyReply, string>()
  for (const route of routes) {
    const version = /^\/api\/(v\d+)\//.exec(route.path)?.[1]?.toUpperCase() ?? ''
    for (const reply of declaredReplies(route)) if (!versions.has(reply)) versions.set(reply, version)
  }
  const shapes = new Map<string, number>()
  for (const { kind } of versions.keys()) shapes.set(kind, (shapes.get(kind) ?? 0) + 1)
  const names = new Map<string, AnyReply>()
  for (const [reply, version] of versions) {
    const name = shapes.get(reply.kind) === 1 ? reply.kind : reply.kind.replace(/(V\d+)?$/, version)
    names.set(freeName(name, names), reply)
  }
  return new Map([...names].map(([name, reply]) => [reply, name]))
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
  return name
}

function envelopeOf({ kind, message, data }: AnyReply): JsonSchema {
  const properties = {
    kind: { description: 'What happened.', const: kind },
    message: { description: 'For people; may change.', type: 'string', examples: [message] },
  }
  if (!data) return { type: 'object', properties, required: ['kind', 'message'] }
  return {
    type: 'object',
    properties: { ...properties, data: jsonSchemaOf(data, 'output') },
    required: ['kind', 'message', 'data'],
  }
}

function operationOf(route: Route, names: Names): object {
  const body = requestBodyOf(route)
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    description: describeRoute(route),
    tags: [tagOf(route)],
    security: securityOf[route.auth],
    ...(route.scope !== undefined && { 'x-scope': route.scope }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...aliasHeaders(route)],
    ...(body && { requestBody: body }),
    responses: responsesOf(route, names),
  }
}

/** `GET /api/v2/challs/:id/solves` is `getV2ChallsByIdSolves`. */
export function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/api\//, '')
    .replaceAll('/:', '/by-')
    .split(/[^A-Za-z0-9]+/)
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function pathParameters({ path, params }: Route): object[] {
  const { properties } = propertiesOf(params)
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...described(properties[name] ?? { type: 'string' }),
  }))
}

function queryParameters({ query, maxima }: Route): object[] {
  const { properties, required } = propertiesOf(query)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...described(schema, maxima?.[name] && `At most what the deployment sets as \`${maxima[name]}\`.`),
  }))
}

/** A parameter has its description beside its schema. */
function described(schema: JsonSchema, limit = ''): object {
  const { description = '', ...rest } = schema
  return { description: [description, limit].filter(Boolean).join(' '), schema: rest }
}

function aliasHeaders({ auth }: Route): object[] {
  if (auth !== 'signature') return []
  return ALIAS_SIGNATURE_HEADERS.map((name, at) => ({
    name,
    in: 'header',
    required: false,
    deprecated: true,
    description: `Another name of \`${SIGNATURE_HEADERS[at]}\`. A request has one complete pair.`,
    schema: { type: 'string' },
  }))
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

function propertiesOf(schema: Route['query']): ObjectSchema {
  return { properties: {}, required: [], ...(schema && jsonSchemaOf(schema, 'input')) }
}

/** With the other names of its fields. */
function bodySchemaOf(route: Route, body: NonNullable<Route['body']>): JsonSchema {
  const schema = jsonSchemaOf(body, 'input')
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined
  const aliases = aliasFieldsOf(route).map(({ alias, name }) => [
    alias,
    { ...properties?.[name], deprecated: true, description: `Another name of \`${name}\`.` },
  ])
  return aliases.length > 0
    ? { ...schema, properties: { ...properties, ...Object.fromEntries(aliases) } }
    : schema
}

function requestBodyOf(route: Route): object | null {
  const { body, form } = route
  const schema = body ?? form
  if (!schema) return null
  const type = body ? 'application/json' : (route.formType ?? 'multipart/form-data')
  return {
    required: true,
    content: { [type]: { schema: body ? bodySchemaOf(route, body) : jsonSchemaOf(schema, 'input') } },
  }
}

function responsesOf(route: Route, names: Names): Record<string, object> {
  const byStatus = new Map<number, AnyReply[]>()
  for (const reply of declaredReplies(route)) {
    const same = byStatus.get(reply.status)
    if (same) same.push(reply)
    else byStatus.set(reply.status, [reply])
  }
  const responses: Record<string, object> = {}
  for (const [status, replies] of byStatus) responses[status] = responseOf(route, replies, names)
  if (route.method === 'GET' && !route.secret) responses[304] = notModified
  if (![...byStatus.keys()].some((status) => status >= 400 && status < 500))
    responses[400] = { description: REFUSED }
  return responses
}

const notModified = { description: 'The content is the version that `If-None-Match` names.' }

function responseOf(route: Route, replies: readonly AnyReply[], names: Names): object {
  const shapes = replies.map((reply) => {
    if (isUnwrapped(route, reply)) return reply.data ? jsonSchemaOf(reply.data, 'output') : {}
    return { $ref: `#/components/schemas/${names.get(reply)}` }
  })
  const isFile = route.file !== undefined && replies[0]?.status === 200
  return {
    description: replies.map(({ kind, message }) => `${kind}: ${message}`).join('\n'),
    content: route.text
      ? { [replies[0]?.status === 200 ? route.text.type : 'text/plain']: { schema: { type: 'string' } } }
      : isFile
        ? { [route.file ?? '']: { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema: shapes.length === 1 ? shapes[0] : { oneOf: shapes } } },
  }
}

/** A route that only refuses is there for another protocol, and no one calls it on purpose. */
function isOperation({ replies }: Route): boolean {
  return replies.some(({ status }) => status < 400)
}

function isUnwrapped({ unwrapped }: Route, reply: AnyReply): boolean {
  if (unwrapped === undefined) return false
  if (reply.status === 200) return true
  const { shape = {} } = (reply.data ?? {}) as { readonly shape?: object }
  return unwrapped === 'errors' && 'error' in shape
}
