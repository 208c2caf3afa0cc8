/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }

/** The supported part of JSON Schema. The server validates the other keywords. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly default?: Json
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

export type Kind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'const'
  | 'object'
  | 'map'
  | 'array'
  | 'variant'
  | 'raw'

/** Deeper levels are shown as JSON, because a schema can be recursive. */
const DEEPEST = 12

/**
 * How to edit a value. A value that does not match its schema, or that the form cannot show, is `raw`: it is
 * shown as JSON and kept. An unset value matches every schema.
 */
export function kindOf(schema: Schema, value: Json | undefined, depth = 0): Kind {
  const kind = depth > DEEPEST ? 'raw' : drawableKind(schema)
  if (value === undefined) return kind
  const fits: Readonly<Record<Kind, () => boolean>> = {
    text: () => typeof value === 'string',
    number: () => typeof value === 'number',
    boolean: () => typeof value === 'boolean',
    enum: () => (schema.enum ?? []).some((each) => isEqual(each, value)),
    const: () => isEqual(schema.const, value),
    object: () => isObject(value),
    map: () => isObject(value),
    array: () => Array.isArray(value),
    variant: () => variantOf(schema, value) >= 0,
    raw: () => true,
  }
  return fits[kind]() ? kind : 'raw'
}

function drawableKind(schema: Schema): Kind {
  if (schema.const !== undefined) return 'const'
  if (schema.enum) return 'enum'
  if (discriminatorOf(schema) !== null) return 'variant'
  if (variantsOf(schema)) return 'raw'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'array' && schema.items) return 'array'
  if (schema.type === 'object' && schema.properties) return 'object'
  return schema.type === 'object' && isObject(schema.additionalProperties as Json) ? 'map' : 'raw'
}

/** The `oneOf` or `anyOf` variants. */
export function variantsOf(schema: Schema): readonly Schema[] | undefined {
  return schema.oneOf ?? schema.anyOf
}

/** The property with a different constant in each variant; null if there is none. */
export function discriminatorOf(schema: Schema): string | null {
  const variants = variantsOf(schema)
  const names = Object.keys(variants?.[0]?.properties ?? {})
  const found = names.find((name) => {
    const constants = variants?.map(({ properties }) => properties?.[name]?.const)
    return (
      constants?.every((each) => each !== undefined) &&
      new Set(constants.map(String)).size === constants.length
    )
  })
  return found ?? null
}

/** Index of the variant that a value belongs to; -1 for none. */
export function variantOf(schema: Schema, value: Json | undefined): number {
  const name = discriminatorOf(schema)
  if (name === null || !isObject(value)) return -1
  const of = value[name]
  return variantsOf(schema)?.findIndex(({ properties }) => isEqual(properties?.[name]?.const, of)) ?? -1
}

/** Initial value: defaults, constants and required properties. */
export function initialOf(schema: Schema, depth = 0): Json {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (depth > DEEPEST) return null
  const kind = drawableKind(schema)
  if (kind === 'object') return initialObject(schema, depth)
  if (kind === 'variant') return initialOf(variantsOf(schema)?.[0] ?? {}, depth + 1)
  const plain: Partial<Record<Kind, Json>> = {
    text: '',
    number: schema.minimum ?? 0,
    boolean: false,
    array: [],
    map: {},
  }
  return kind === 'enum' ? (schema.enum?.[0] ?? null) : (plain[kind] ?? null)
}

function initialObject({ properties = {}, required = [] }: Schema, depth: number): Json {
  const entries = Object.entries(properties).filter(
    ([name, each]) => required.includes(name) || each.const !== undefined || each.default !== undefined,
  )
  return Object.fromEntries(entries.map(([name, each]) => [name, initialOf(each, depth + 1)]))
}

/** Copies the object with one property set, or removed if `undefined`. The order of the others is kept. */
export function withProperty(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const own = Object.entries(object)
  const next = own.some(([key]) => key === name) ? own : [...own, [name, null] as const]
  const kept = next.flatMap(([key, each]) => {
    const now = key === name ? value : each
    return now === undefined ? [] : [[key, now] as const]
  })
  return Object.fromEntries(kept)
}

/** Copies the object with one property renamed in place. Null if the new name is taken. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject | null {
  if (from !== to && Object.hasOwn(object, to)) return null
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]))
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON equality, independent of property order. */
export function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (Object.is(left, right)) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, at) => isEqual(each, right[at]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  const same = (name: string) => Object.hasOwn(right, name) && isEqual(left[name], right[name])
  return names.length === Object.keys(right).length && names.every(same)
}
