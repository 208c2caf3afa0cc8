/** A source of values, in ascending precedence: files ordered by name, then the environment. */
export interface Layer {
  /** For messages: a file's path, or `environment`. */
  readonly source: string
  readonly values: Values
  /** Errors found before the values were validated. */
  readonly problems?: readonly string[]
  /** The line of a value in the file, from 1; null if it is not there. */
  readonly line?: (key: readonly string[]) => number | null
  /** The environment variable with the value, and the entry if it is in a list. */
  readonly variable?: (key: readonly string[]) => string
  /** Options of rCTF's instancer service that the environment sets. */
  readonly dockerService?: Values
}

export type Values = Readonly<Record<string, unknown>>

/** Merges objects by key; replaces anything else, including arrays. */
export function mergeLayers(layers: readonly Layer[]): Record<string, unknown> {
  return layers.reduce((merged, layer) => merge(merged, layer.values), {})
}

function merge(under: Values, over: Values): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const present = merged[key]
    merged[key] = isValues(present) && isValues(value) ? merge(present, value) : value
  }
  return merged
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function findAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : undefined), values)
}

/** Sets a value in an object that the caller owns, creating parent objects as needed. */
export function setAt(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    const present = values[key]
    values[key] = isValues(present) && isValues(value) ? merge(present, value) : value
    return
  }
  const inner = isValues(values[key]) ? { ...values[key] } : {}
  values[key] = inner
  setAt(inner, rest, value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
