import { z } from 'zod'
import { providersOf } from './one-of.ts'

/** Format of a value in the environment. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'json' | 'mixed'

/** A configuration key, as described by its schema. */
export interface Key {
  readonly path: readonly string[]
  readonly env: string
  readonly kind: ValueKind
  /** For documentation: `whole number`, `list`, `one of a, b`. */
  readonly type: string
  readonly default: unknown
  readonly description: string
  /** A block contains further keys, which follow it in the list. */
  readonly isBlock: boolean
  /** The provider that the option belongs to. */
  readonly provider?: string
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

/** All keys of a shape; blocks precede their contents. */
export function listKeys(shape: Shape, parent: readonly string[] = []): Key[] {
  return Object.entries(shape).flatMap(([name, schema]) => keysOf(schema, [...parent, name]))
}

/** The naming rule: `leaderboard.graphMaxTeams` becomes PENNANT_LEADERBOARD_GRAPH_MAX_TEAMS. */
export function environmentName(path: readonly string[]): string {
  const words = path.map((name) => name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
  return `PENNANT_${words.join('_').toUpperCase()}`
}

function keysOf(schema: z.core.$ZodType, path: readonly string[]): Key[] {
  const found = unwrap(schema)
  const key = {
    path,
    env: environmentName(path),
    kind: kindOf(found.base),
    type: typeOf(found.base),
    default: found.default,
    description: found.description,
    isBlock: false,
  }
  const providers = providersOf(found.base)
  if (providers) {
    const options = providers.flatMap((provider) => optionsOf(provider, [...path, 'options']))
    const name: Key = {
      ...key,
      path: [...path, 'name'],
      env: environmentName([...path, 'name']),
      kind: 'text',
    }
    return [
      { ...key, kind: 'mixed', isBlock: true },
      { ...name, type: listOf(providers.map((p) => p.name)) },
      ...options,
    ]
  }
  if (found.base instanceof z.ZodObject) {
    return [{ ...key, isBlock: true }, ...listKeys(found.base.shape, path)]
  }
  return [key]
}

function optionsOf(provider: { name: string; options: z.core.$ZodType }, path: readonly string[]): Key[] {
  const { base } = unwrap(provider.options)
  if (!(base instanceof z.ZodObject)) return []
  return listKeys(base.shape, path).map((key) => ({ ...key, provider: provider.name }))
}

interface Unwrapped {
  readonly base: z.core.$ZodType
  readonly default: unknown
  readonly description: string
}

/** Removes the wrappers of a schema: defaults, descriptions, transforms. */
function unwrap(schema: z.core.$ZodType): Unwrapped {
  const outer = z.globalRegistry.get(schema)?.description
  const inner = innerOf(schema)
  if (!inner) return { base: schema, default: undefined, description: outer ?? '' }
  const found = unwrap(inner)
  return {
    base: found.base,
    default:
      schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
        ? schema.def.defaultValue
        : found.default,
    description: outer ?? found.description,
  }
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (providersOf(schema)) return undefined
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema.out : schema.in
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return schema.def.innerType
  return undefined
}

function kindOf({ _zod }: z.core.$ZodType): ValueKind {
  switch (_zod.def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return 'text'
    case 'number':
    case 'boolean':
      return _zod.def.type
    case 'array':
    case 'record':
    case 'object':
      return 'json'
    default:
      return 'mixed'
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'list',
  record: 'map',
  object: 'block',
}

function typeOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) return listOf(schema.options.map(String))
  if (schema instanceof z.ZodUnion) {
    const members = schema.options.map((option) => typeOf(unwrap(option).base))
    return [...new Set(members)].join(' or ')
  }
  const { def } = schema._zod
  if (def.type === 'number') return 'format' in def ? 'whole number' : 'number'
  return TYPE_NAMES[def.type] ?? 'value'
}

function listOf(names: readonly string[]): string {
  return names.join(', ')
}
