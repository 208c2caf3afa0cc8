import { z } from 'zod'

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
    Object.entries({ ...value, ...rest }).map(([key, child]) => [key, withoutReferences(child)]),
  )
}
