import { expect, test } from 'vitest'
import { z } from 'zod'
import { allRoutes } from './all.ts'
import { bodyCapOf, largestBytes } from './body-caps.ts'
import type { JsonSchema } from './json-schema.ts'

const withJson = allRoutes.filter(({ body }) => body)
/** Bytes. */
const MAX_FILLED = 256 * 1024
const named = withJson.map((route) => [`${route.method} ${route.path}`, route] as const)

const schemaOf = ({ body }: (typeof withJson)[number]) =>
  z.toJSONSchema(body ?? z.never(), { io: 'input', unrepresentable: 'any' })

/** A value that fills its schema, written independently of the sizes. */
function filled(schema: JsonSchema): unknown {
  const { type, const: only, enum: listed, anyOf, oneOf, properties } = schema
  if (only !== undefined) return only
  if (Array.isArray(listed)) return listed[0]
  const branches = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (branches) return branches.map(filled).toSorted((a, b) => escaped(b).length - escaped(a).length)[0]
  const [kind] = [type].flat() as string[]
  if (kind === 'string') return 'é'.repeat(Number(schema['maxLength'] ?? 1024))
  if (kind === 'array')
    return Array.from({ length: Number(schema['maxItems'] ?? 1) }, () =>
      filled(schema['items'] as JsonSchema),
    )
  if (kind === 'object' && properties)
    return Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, filled(value as JsonSchema)]),
    )
  if (kind === 'object') {
    const value = filled(schema['additionalProperties'] as JsonSchema)
    const names = Number((schema['propertyNames'] as JsonSchema | undefined)?.['maxLength'] ?? 1024)
    return Object.fromEntries(
      Array.from({ length: Number(schema['maxProperties'] ?? 1) }, (_, at) => [
        String(at).padStart(names, 'é'),
        value,
      ]),
    )
  }
  return kind === 'boolean' ? false : Number(schema['maximum'] ?? 1)
}

/** As clients write it that escape everything but ASCII. */
const escaped = (value: unknown) => JSON.stringify(value).replaceAll('é', () => String.raw`\u00e9`)

test.each(named)('%s reads its largest body, and not a few times more', (_name, route) => {
  const cap = bodyCapOf(route)
  const schema = schemaOf(route)
  const isGiven = JSON.stringify(schema).includes('x-maxBytes')
  // Larger ones are those of organisers, and take seconds here.
  if (cap > MAX_FILLED || isGiven) return expect(cap).toBeGreaterThan(MAX_FILLED / 2)
  const largest = escaped(filled(schema)).length
  expect(cap).toBeGreaterThanOrEqual(largest)
  return expect(cap).toBeLessThanOrEqual(2 * largest + 4096)
})

test('only organisers and signed pushes send what has no bound or takes long to parse', () => {
  const large = withJson.filter((route) => bodyCapOf(route) > 256 * 1024)
  const open = large.filter(({ perms, auth }) => !perms?.length && auth !== 'service')
  expect(open.map(({ path }) => path)).toEqual(['/api/v2/challs/:id/scores'])
  const unbounded = withJson.filter((route) => bodyCapOf(route) === Infinity)
  expect(unbounded.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('bodies of a flag and of a profile are small', () => {
  const capOf = (path: string) => Math.max(...withJson.filter((each) => each.path === path).map(bodyCapOf))
  expect(capOf('/api/v1/challs/:id/submit')).toBe(Math.ceil(1.25 * (6 * 1024 + '{"flag":""},'.length)))
  expect(capOf('/api/v2/users/me')).toBeLessThan(8 * 1024)
})

test.each<[string, z.ZodType, number]>([
  ['a text', z.string().max(10), 62],
  ['a text or nothing', z.string().max(10).nullable(), 62],
  ['a choice', z.enum(['a', 'long']), 6],
  ['a list', z.array(z.boolean()).max(3), 20],
  ['a list without a bound', z.array(z.boolean()), Infinity],
  ['anything', z.unknown(), Infinity],
  ['a map without a bound', z.record(z.string(), z.int()), Infinity],
  ['an object', z.object({ a: z.int(), b: z.literal('x').optional() }), 2 + 5 + 24 + 5 + 3],
  ['one of several', z.union([z.object({}), z.string().max(1)]), 8],
])('%s has its largest size', (_name, schema, bytes) => {
  expect(largestBytes(z.toJSONSchema(schema, { io: 'input' }))).toBe(bytes)
})
