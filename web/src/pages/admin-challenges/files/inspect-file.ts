/** Larger files are sent without a look whether they are there: hashing needs the whole of one in memory. */
const MOST_HASHED_BYTES = 256 * 1024 * 1024
/** Texts are searched for flags up to here. */
const MOST_SEARCHED_BYTES = 16 * 1024 * 1024
/** A text has no zero byte at its begin. */
const PROBED_BYTES = 8192

/** The SHA-256 of a file in lower-case hex; null for one that is too large, or where the browser cannot tell. */
export async function hashOf(file: Blob): Promise<string | null> {
  // Browsers offer it over HTTPS and on the own machine only.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto }
  if (!subtle || isTooLargeToHash(file)) return null
  const digest = await subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isTooLargeToHash({ size }: Pick<Blob, 'size'>): boolean {
  return size > MOST_HASHED_BYTES
}

type Search = 'found' | 'none' | 'tooLarge'

/** Whether one of these flags stands in a text file. Files that are no texts hold none. */
export async function searchFlags(file: Blob, flags: readonly string[]): Promise<Search> {
  const wanted = flags.filter((flag) => flag !== '')
  if (wanted.length === 0) return 'none'
  const begin = new Uint8Array(await file.slice(0, PROBED_BYTES).arrayBuffer())
  if (begin.includes(0)) return 'none'
  if (file.size > MOST_SEARCHED_BYTES) return 'tooLarge'
  const text = await file.text()
  return wanted.some((flag) => text.includes(flag)) ? 'found' : 'none'
}
