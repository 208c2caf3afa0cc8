import { z } from 'zod'
import { fieldTexts } from './field-texts.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * JSON Schema of what callers send (`input`) or receive (`output`). Parts that it cannot express accept
 * anything.
 */
export function jsonSchemaOf(schema: z.ZodType, side: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      // Zod's bounds of safe integers: they hold for every integer, so they are noise for readers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return withoutReferences(rest) as JsonSchema
}

/** Adds the description and the examples that a field of this name has, unless the schema has its own. */
export function describedField(name: string, schema: JsonSchema): JsonSchema {
  const [text, ...examples] = fieldTexts[name] ?? []
  if (text === undefined) return schema
  const fitting = hasExample(schema) ? [] : examples.filter((example) => fits(example, schema))
  return { description: text, ...(fitting.length > 0 && { examples: fitting }), ...schema }
}

function hasExample(schema: JsonSchema): boolean {
  return ['const', 'enum', 'examples'].some((key) => key in schema)
}

/** Enough for the examples of names, and cheap, because the first request for the document renders it. */
function fits(example: unknown, schema: JsonSchema): boolean {
  const { anyOf, type, pattern, properties, items, minLength = 0, maxLength, minimum, maximum } = schema
  if (Array.isArray(anyOf)) return anyOf.some((each: JsonSchema) => fits(example, each))
  if (![type].flat().includes(typeOf(example)) && !(type === 'number' && typeof example === 'number'))
    return false
  if (typeof example === 'string') {
    const isLongEnough = example.length >= (minLength as number)
    return isLongEnough && !isAbove(example.length, maxLength) && matches(example, pattern)
  }
  if (typeof example === 'number') return !isAbove(example, maximum) && !isAbove(minimum, example)
  if (Array.isArray(example)) return example.every((each) => fits(each, (items ?? {}) as JsonSchema))
  return properties === undefined
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const isAbove = (value: unknown, most: unknown) =>
  typeof value === 'number' && typeof most === 'number' && value > most

const matches = (text: string, pattern: unknown) =>
  typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)

/**
 * A recursive schema refers to its own root, which is lost inside a larger document; such references accept
 * anything.
 */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return {}
  // Linters and generators expect a schema of `items` beside `prefixItems`; `maxItems` bounds the list.
  const rest = 'prefixItems' in value && 'maxItems' in value ? { items: {} } : {}
  return Object.fromEntries(
    Object.entries({ ...value, ...rest }).map(([key, child]) => [
      key,
      key === 'properties' ? describedFields(child as object) : withoutReferences(child),
    ]),
  )
}

function describedFields(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      describedField(name, withoutReferences(schema) as JsonSchema),
    ]),
  )
}
