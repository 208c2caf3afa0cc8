/** Larger files are uploaded without a lookup, because hashing needs the whole file in memory. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024
/** Only text files up to this size are searched for flags. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024
/** A file without a zero byte in its first bytes is treated as text. */
const PROBED_BYTES = 8192

/** Returns the SHA-256 as lowercase hex; null if the file is too large or the browser cannot compute it. */
export async function hashOf(file: Blob): Promise<string | null> {
  // Browsers provide it only over HTTPS and on localhost.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto }
  if (!subtle || isTooLargeToHash(file)) return null
  const digest = await subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isTooLargeToHash({ size }: Pick<Blob, 'size'>): boolean {
  return size > MAX_HASHED_BYTES
}

type Search = 'found' | 'none' | 'tooLarge'

/** Checks whether a text file contains one of these flags. Binary files never match. */
export async function searchFlags(file: Blob, flags: readonly string[]): Promise<Search> {
  const wanted = flags.filter((flag) => flag !== '')
  if (wanted.length === 0) return 'none'
  const begin = new Uint8Array(await file.slice(0, PROBED_BYTES).arrayBuffer())
  if (begin.includes(0)) return 'none'
  if (file.size > MAX_SEARCHED_BYTES) return 'tooLarge'
  const text = await file.text()
  return wanted.some((flag) => text.includes(flag)) ? 'found' : 'none'
}
