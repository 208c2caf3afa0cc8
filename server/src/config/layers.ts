/** Where values come from, weakest first: files in the order of their names, then the environment. */
export interface Layer {
  /** For messages: a file's path, `environment`. */
  readonly source: string
  readonly values: Values
  /** What was wrong before the values could be looked at. */
  readonly problems?: readonly string[]
}

export type Values = Readonly<Record<string, unknown>>

/** Objects are merged by key; anything else, arrays too, is replaced. */
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

/** Writes into an object that the caller owns, making the objects on the way. */
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
