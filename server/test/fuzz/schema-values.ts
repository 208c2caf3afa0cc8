import * as fc from 'fast-check'
import type { JsonSchema } from '@pennant/contract/json-schema.ts'

/** Values for strings by field name, so that requests pass validation and reach the handler. */
export type TextHints = Readonly<Record<string, fc.Arbitrary<string>>>

/** Values that a schema accepts, as far as JSON Schema describes it. */
export function valuesOf(schema: JsonSchema, hints: TextHints, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  const { enum: listed, anyOf, oneOf, type } = schema
  if (Array.isArray(listed)) return fc.constantFrom(...(listed as unknown[]))
  const branches = anyOf ?? oneOf
  if (Array.isArray(branches)) {
    return fc.oneof(...branches.map((branch) => valuesOf(branch as JsonSchema, hints, name)))
  }
  switch (type) {
    case 'string':
      return hints[name] ?? texts(schema)
    case 'integer':
      return numbers(schema, 1)
    case 'number':
      return numbers(schema, 0.5)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return lists(schema, hints, name)
    case 'object':
      return objects(schema, hints)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function texts({ pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  const length = {
    minLength: Number(minLength),
    maxLength: Math.max(Number(minLength), Math.min(Number(maxLength), 60)),
  }
  return fc.oneof(fc.string(length), fc.string({ ...length, unit: 'grapheme' }))
}

function numbers(schema: JsonSchema, step: number): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum } = schema
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? -1000 : Number(exclusiveMinimum) + step))
  const most = Number(maximum ?? Math.max(least, 0) + 1000)
  return fc.oneof(
    fc.constantFrom(least, most),
    fc.integer({ min: Math.ceil(least), max: Math.floor(Math.min(most, least + 100_000)) }),
  )
}

function lists(schema: JsonSchema, hints: TextHints, name: string): fc.Arbitrary<unknown[]> {
  const { items, minItems = 0, maxItems = 3 } = schema
  const minLength = Number(minItems)
  const maxLength = Math.max(minLength, Math.min(Number(maxItems), 3))
  return fc.array(valuesOf((items ?? {}) as JsonSchema, hints, name), { minLength, maxLength })
}

function objects(schema: JsonSchema, hints: TextHints): fc.Arbitrary<object> {
  const { properties, required, additionalProperties } = schema
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {}
    return fc.dictionary(fc.string({ maxLength: 8 }), valuesOf(value, hints), {
      maxKeys: 3,
      noNullPrototype: true,
    })
  }
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, field]) => [name, valuesOf(field, hints, name)] as const,
  )
  const requiredKeys = (required ?? []) as string[]
  return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
}
