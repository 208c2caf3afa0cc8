const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const UUID_BYTES = 16

/** Writes a UUID as 16 bytes at entry `index`. */
export function writeUuid(bytes: Uint8Array, index: number, uuid: string): void {
  if (!UUID.test(uuid)) throw new TypeError(`not a UUID: ${uuid}`)
  let to = index * UUID_BYTES
  for (let from = 0; from < uuid.length; from += 2) {
    if (uuid[from] === '-') from += 1
    bytes[to] = Number.parseInt(uuid.slice(from, from + 2), 16)
    to += 1
  }
}

export function readUuid(bytes: Uint8Array, index: number): string {
  const start = index * UUID_BYTES
  let text = ''
  for (let at = 0; at < UUID_BYTES; at += 1) {
    if (at === 4 || at === 6 || at === 8 || at === 10) text += '-'
    text += HEX[bytes[start + at] as number] as string
  }
  return text
}

/** The order of UUIDs in PostgreSQL, which is also that of their lower-case text. */
export function compareUuids(bytes: Uint8Array, a: number, b: number): number {
  for (let at = 0; at < UUID_BYTES; at += 1) {
    const difference = (bytes[a * UUID_BYTES + at] as number) - (bytes[b * UUID_BYTES + at] as number)
    if (difference !== 0) return difference
  }
  return 0
}
