import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import type { Route } from './route.ts'

// How large the JSON body of a route may be follows from its schema: docs/reference/requests-and-responses.md#body-size-limits

/** Characters of a text whose schema has no bound: a token, a name, an address, whose own checks have other replies. */
const SHORT_TEXT = 1024
/** UTF-8 bytes of a UTF-16 unit as `\uXXXX`, which some clients write for all characters that are not ASCII. */
const UNIT_BYTES = 6
const NUMBER_BYTES = 24
/** White space of indented JSON, and fields that the schema ignores. */
const MARGIN = 1.25
const MIN_BYTES = 4096

/** The largest JSON body in bytes that is accepted; Infinity if a list or a value in the schema has no bound. */
export function bodyCapOf({ body }: Pick<Route, 'body'>): number {
  if (!body) return 0
  const largest = largestBytes(
    z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  )
  return Math.max(MIN_BYTES, Math.ceil(largest * MARGIN))
}

/** Bytes of the longest JSON that a schema accepts, without white space. `x-maxBytes` in it decides, if it is given. */
export function largestBytes(schema: JsonSchema): number {
  const { type, const: only, enum: listed, anyOf, oneOf, 'x-maxBytes': given } = schema
  if (typeof given === 'number') return given
  if (only !== undefined) return bytesOf(only)
  if (Array.isArray(listed)) return Math.max(...listed.map(bytesOf))
  const branches = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  if (branches) return Math.max(...branches.map(largestBytes))
  if (Array.isArray(type))
    return Math.max(...type.map((each: unknown) => largestBytes({ ...schema, type: each })))
  switch (type) {
    case 'string':
      return 2 + UNIT_BYTES * Number(schema['maxLength'] ?? SHORT_TEXT)
    case 'integer':
    case 'number':
      return NUMBER_BYTES
    case 'boolean':
    case 'null':
      return 5
    case 'array':
      return 2 + Number(schema['maxItems'] ?? Infinity) * (1 + largestBytes(partOf(schema, 'items')))
    case 'object':
      return objectBytes(schema)
    default:
      return Infinity
  }
}

function objectBytes(schema: JsonSchema): number {
  if (!('properties' in schema)) {
    const entry = 2 + largestBytes({ type: 'string', ...partOf(schema, 'propertyNames') })
    return (
      2 +
      Number(schema['maxProperties'] ?? Infinity) *
        (entry + largestBytes(partOf(schema, 'additionalProperties')))
    )
  }
  const fields = Object.entries(schema['properties'] as Record<string, JsonSchema>)
  return fields.reduce((sum, [name, field]) => sum + bytesOf(name) + 2 + largestBytes(field), 2)
}

const partOf = (schema: JsonSchema, key: string) => (schema[key] ?? {}) as JsonSchema

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length
