// Readers of JSON of other platforms, where any key may be absent or of another type.

export type Json = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Null for an empty text as well. */
export function textOrNull(value: unknown): string | null {
  const text = textOf(value)
  return text === '' ? null : text
}

export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^[+-]?\d+(?:\.0+)?$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) : null
}

/** `"0"` and `"false"` are false: databases without booleans export them as text. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'string') return ['1', 'true', 't'].includes(value.trim().toLowerCase())
  return value === true || value === 1
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
