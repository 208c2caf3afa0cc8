import { createHash } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID that is the same for the same parts. */
export function uuidOf(...parts: readonly string[]): string {
  return uuidText(createHash('sha256').update(JSON.stringify(parts)).digest('hex'))
}

/** UUIDs with the same prefix are ordered by their number. */
export function orderedUuids(prefix: string): (number: number) => string {
  const hash = createHash('sha256').update(prefix).digest('hex')
  return (number) => uuidText(hash.slice(0, 20) + number.toString(16).padStart(12, '0'))
}

function uuidText(hex: string): string {
  // Version 8: made by a scheme of our own. The variant has its usual place.
  const digits = `${hex.slice(0, 12)}8${hex.slice(12, 15)}8${hex.slice(15, 18)}${hex.slice(20, 32).padStart(12, '0')}`
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-')
}
