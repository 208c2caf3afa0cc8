import { readdirSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aliasRoutesOf } from './aliases.ts'
import { Email, Limit, Page } from './fields.ts'
import { openApi, operationIdOf } from './openapi.ts'
import { badChallenge } from './replies.ts'
import { reply, route, type Route } from './route.ts'

const info = { version: '1.2.3', origin: 'https://ctf.example' }

/** Every route of the contract, from all modules. */
async function allRoutes(): Promise<Route[]> {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const modules: object[] = await Promise.all(files.map((name) => import(/* @vite-ignore */ `./${name}`)))
  const routes = modules.flatMap((module) => Object.values(module)).filter(isRoute)
  return [...new Set(routes)]
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, { properties: Record<string, unknown> }> }
}

interface Operation {
  readonly parameters: readonly {
    name: string
    in: string
    required: boolean
    description?: string
    schema: object
  }[]
  readonly requestBody?: { content: Record<string, { schema: object }> }
  readonly responses: Record<
    string,
    { content?: { 'application/json': { schema: Record<string, unknown> } } }
  >
  readonly security: readonly object[]
}

/** They are no routes of the contract. */
const HEALTH_CHECKS = 2

/** Of numbers and texts that are times. */
const UNIT = /Unix (?:milli)?seconds|ISO 8601|date-time/

const isTime = (field: string, schema: { readonly type?: unknown }) =>
  /(?:At|Time)$|^(?:at|now|since|until)$/.test(field) && schema.type !== 'object'

const describe = (routes: readonly Route[]) => openApi(routes, info) as Document

const goodNote = reply(200, 'goodNote', 'A note.', z.object({ text: z.string(), to: z.string().nullable() }))
const readNote = route({
  method: 'GET',
  path: '/api/v2/notes/:id',
  summary: 'A note.',
  auth: 'optional',
  scope: 'read',
  gate: { started: 'challsRead' },
  params: z.object({ id: z.string().max(8) }),
  query: Page,
  maxima: { limit: 'maxLimit' },
  limits: [],
  replies: [goodNote, badChallenge],
})
const sendNote = route({
  method: 'POST',
  path: '/api/v2/notes',
  summary: 'Send a note.',
  auth: 'required',
  scope: 'messages',
  body: z.object({ to: Email, text: z.string().default('') }),
  limits: [],
  replies: [goodNote],
})

test('the whole contract is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  const result = await validator.validate(JSON.parse(JSON.stringify(openApi(await allRoutes(), info))))
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('includes every route of the contract with a unique operation id', async () => {
  const routes = await allRoutes()
  const { paths } = describe(routes)
  expect(Object.values(paths).flatMap((path) => Object.keys(path))).toHaveLength(
    // The path where agents may not open a stream is none that anyone calls.
    routes.length - 1 + HEALTH_CHECKS + aliasRoutesOf(routes).length,
  )
  expect(new Set(routes.map(operationIdOf)).size).toBe(routes.length)
})

test('names of rCTF are deprecated: paths with their replies, fields of bodies, headers of signatures', async () => {
  const { paths } = describe(await allRoutes())
  const operation = (method: string, path: string) => paths[path]?.[method] as Operation | undefined
  const callback = operation('post', '/api/v1/integrations/ctftime/callback')
  expect(callback).toMatchObject({
    deprecated: true,
    requestBody: {
      content: {
        'application/json': { schema: { properties: { ctftimeCode: {} }, required: ['ctftimeCode'] } },
      },
    },
  })
  expect(JSON.stringify(callback?.responses)).toContain('#/components/schemas/goodCtftimeToken')
  for (const method of ['put', 'delete'])
    expect(operation(method, '/api/v1/users/me/auth/ctftime')).toMatchObject({ deprecated: true })
  expect(operation('get', '/api/v1/integrations/ctftime/leaderboard')).toMatchObject({ deprecated: true })
  expect(operation('post', '/api/v1/auth/register')?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          properties: {
            ctftimeToken: { type: 'string', deprecated: true },
            recaptchaCode: { type: 'string', deprecated: true },
          },
        },
      },
    },
  })
  expect(operation('post', '/api/v2/challs/{id}/scores')?.parameters).toMatchObject([
    { in: 'path' },
    { in: 'header', name: 'x-rctf-timestamp', deprecated: true },
    { in: 'header', name: 'x-rctf-signature', deprecated: true },
  ])
})

test('path and query parameters have their type and the configured maximum that applies', () => {
  const operation = describe([readNote]).paths['/api/v2/notes/{id}']!['get']!
  expect(operation.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 8 } },
    { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'offset', in: 'query', required: true, schema: { type: 'integer', minimum: 0 } },
  ])
  expect(operation.parameters[1]?.description).toContain('maxLimit')
})

test('a status with one reply has that schema, with several a choice of them', () => {
  const { get } = describe([readNote]).paths['/api/v2/notes/{id}']! as { get: Operation }
  const schemaOf = (status: string) => get.responses[status]?.content?.['application/json'].schema
  expect(Object.keys(get.responses).toSorted()).toEqual([
    '200',
    '304',
    '400',
    '401',
    '403',
    '404',
    '429',
    '500',
    '503',
  ])
  expect(schemaOf('404')).toEqual({ $ref: '#/components/schemas/badChallenge' })
  const { post } = describe([sendNote]).paths['/api/v2/notes']! as { post: Operation }
  expect(post.responses['400']?.content?.['application/json'].schema).toEqual({
    oneOf: [{ $ref: '#/components/schemas/badBody' }, { $ref: '#/components/schemas/badJson' }],
  })
})

test('requests are described as sent, before trimming and defaults', () => {
  const { post } = describe([sendNote]).paths['/api/v2/notes']! as { post: Operation }
  expect(post.requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { to: { type: 'string' }, text: { type: 'string', default: '' } },
    required: ['to'],
  })
})

test('an envelope has its kind as a constant, and data only if the kind has data', () => {
  const { schemas } = describe([readNote]).components
  expect(schemas['badChallenge']?.properties).toMatchObject({ kind: { const: 'badChallenge' } })
  expect(schemas['badChallenge']?.properties).not.toHaveProperty('data')
  expect(schemas['goodNote']?.properties).toMatchObject({
    data: { properties: { text: { type: 'string' }, to: { type: ['string', 'null'] } } },
  })
})

test('one kind with different data per version has two schemas', () => {
  const older = reply(200, 'goodNote', 'A note.', z.object({ text: z.string() }))
  const { schemas } = describe([
    readNote,
    route({ ...readNote, path: '/api/v1/notes/:id', replies: [older, badChallenge] }),
  ]).components
  expect(Object.keys(schemas).filter((name) => name.startsWith('goodNote'))).toEqual([
    'goodNoteV2',
    'goodNoteV1',
  ])
})

test('a response without an envelope is described by its data, and its failures by the envelope', () => {
  const { get } = describe([route({ ...readNote, unwrapped: true })]).paths['/api/v2/notes/{id}']! as {
    get: Operation
  }
  expect(get.responses['200']?.content?.['application/json'].schema).toHaveProperty('properties.text')
  expect(get.responses['404']?.content?.['application/json'].schema).toHaveProperty('$ref')
})

test('the security of each route describes who may call it', () => {
  const security = (auth: Route['auth']) =>
    describe([{ ...sendNote, auth }]).paths['/api/v2/notes']!['post']!.security
  expect(security('public')).toEqual([])
  expect(security('optional')).toEqual([{}, { team: [] }])
  expect(security('required')).toEqual([{ team: [] }])
  expect(security('signature')).toEqual([{ timestamp: [], signature: [] }])
})

test('what JSON Schema cannot express is left open instead of failing', () => {
  const odd = z.object({ when: z.instanceof(Date), any: z.json(), file: z.file() })
  const route1 = { ...sendNote, form: odd, body: undefined } as unknown as Route
  const { post } = describe([route1]).paths['/api/v2/notes']! as { post: Operation }
  expect(post.requestBody?.content['multipart/form-data']?.schema).toMatchObject({
    properties: { when: {}, file: { type: 'string', format: 'binary' } },
  })
  expect(JSON.stringify(post.requestBody)).not.toContain('"$ref"')
})

test('every operation has a description and a tag that is described, and every schema is used', async () => {
  const document = openApi(await allRoutes(), info) as Document & {
    readonly tags: readonly { readonly name: string; readonly description: string }[]
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as unknown as {
    readonly description: string
    readonly tags: readonly string[]
    readonly responses: object
  }[]
  const tags = document.tags.map(({ name }) => name)
  expect(document.tags.every(({ description }) => description.length > 5)).toBe(true)
  expect(operations.filter(({ description }) => !description)).toEqual([])
  expect(new Set(operations.flatMap((operation) => operation.tags))).toEqual(new Set(tags))
  expect(
    operations.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4'))),
  ).toEqual([])
  const text = JSON.stringify(document)
  const schemas = Object.keys(document.components.schemas)
  expect(schemas.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([])
  // A list of a fixed length has a schema for other items too, which linters expect.
  expect(text).not.toContain('"items":false')
})

test('describes who may call a route, how often, and the health checks', async () => {
  const { paths } = openApi(await allRoutes(), info) as unknown as {
    readonly paths: Record<
      string,
      { readonly get: { readonly description: string; readonly tags: string[] } }
    >
  }
  expect(paths['/api/v2/admin/challenges/archive']?.get.description).toContain(
    'Permissions: `challsRead`. At most 40 in 600 s for each team.',
  )
  expect(paths['/api/healthz']?.get.tags).toEqual(['health'])
  expect(paths['/api/readyz']?.get.description).toContain('needs no token')
})

test('each time names its unit, each query parameter has a description, and each example is valid', async () => {
  const without = new Set<string>()
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, name))
    if (typeof value !== 'object' || value === null) return
    const { properties, examples, ...schema } = value as Record<string, unknown>
    for (const [field, each] of Object.entries(properties ?? {}))
      if (isTime(field, each as object) && !UNIT.test(JSON.stringify(each))) without.add(field)
    if (schema['in'] === 'query' && schema['description'] === '') without.add(`?${String(schema['name'])}`)
    if (Array.isArray(examples) && 'type' in schema)
      for (const example of examples) {
        const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
        expect(check.safeParse(example), `${name}: ${JSON.stringify(example)}`).toMatchObject({
          success: true,
        })
      }
    for (const [key, each] of Object.entries(value)) visit(each, key)
  }
  visit(describe(await allRoutes()), '')
  expect([...without]).toEqual([])
})

test('a description stands where its field is', () => {
  const send = route({
    ...sendNote,
    body: z.object({ name: z.string().describe('Own text.'), text: z.string() }),
    query: z.object({ limit: Limit }),
  })
  const { post } = describe([send]).paths['/api/v2/notes']! as { post: Operation }
  expect(post.requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { name: { type: 'string', description: 'Own text.' }, text: { type: 'string' } },
  })
  expect(post.parameters).toMatchObject([{ name: 'limit', in: 'query', description: 'Number of rows.' }])
})
