import { createHash, createHmac, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

/** What the action log keeps of the fields of something. */
export type Fields = Readonly<Record<string, unknown>>

export interface LoggedChange {
  readonly before: Fields | null
  readonly after: Fields | null
}

/** Bytes of JSON that the action log keeps of each side of a change, and characters that it shows of a longer text. */
export const loggedLimits = { bytes: 32 * 1024, shown: 1024 }

/**
 * The fields that differ; all of them if something is created or deleted. The values of `secret` fields are replaced by a hash,
 * which only shows whether the two sides are equal: its key is forgotten, so no one can try flags until one fits.
 */
export function loggedChange(
  before: Fields | null,
  after: Fields | null,
  secret: readonly string[] = [],
): LoggedChange {
  const key = randomBytes(32)
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isWhole = before === null || after === null
  const differing = names.filter((name) => isWhole || !isDeepStrictEqual(before[name], after[name]))
  const side = (fields: Fields | null) =>
    fields &&
    Object.fromEntries(
      differing.map((name) => {
        const value = fields[name] ?? null
        return [name, secret.includes(name) ? hidden(value, key) : value]
      }),
    )
  return { before: side(before), after: side(after) }
}

/** An absent or empty value is no secret. */
function hidden(value: unknown, key: Buffer): unknown {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return value
  return { secret: createHmac('sha256', key).update(JSON.stringify(value)).digest('hex').slice(0, 16) }
}

/** The fields as JSON. Long values are cut, then all of them are: what is left says so, with the size and the hash of the rest. */
export function loggedJson(fields: Fields | null | undefined): string | null {
  if (!fields) return null
  const text = JSON.stringify(fields)
  if (Buffer.byteLength(text) <= loggedLimits.bytes) return text
  const shorter = JSON.stringify(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)])),
  )
  return Buffer.byteLength(shorter) <= loggedLimits.bytes ? shorter : JSON.stringify({ all: cut(fields) })
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  if (text.length <= loggedLimits.shown) return value
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { truncated: text.slice(0, loggedLimits.shown), bytes: Buffer.byteLength(text), sha256 }
}

/** Whether a logged side is incomplete or contains secrets, so that it cannot be restored. */
export function isPartial(fields: Fields): boolean {
  return Object.values(fields).some(
    (value) => typeof value === 'object' && value !== null && ('sha256' in value || 'secret' in value),
  )
}
