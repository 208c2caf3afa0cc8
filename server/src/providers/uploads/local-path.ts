import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'

/** File systems limit names to 255 bytes; ours are up to 255 characters of up to four bytes. */
const LONGEST_SEGMENT_BYTES = 200
const LONGEST_EXTENSION = 16

const UNSAFE = /[/\\:\0]/
/** Prefixes of keys. Anything else in the folder, including files being written, does not belong to a key. */
const FIRST_SEGMENT = /^(?:[0-9a-f]{64}|avatars)$/

/**
 * Maps a key to its file inside the folder; null for an invalid key. The only way from a request to a path.
 */
export function localPath(folder: string, segments: readonly string[]): string | null {
  if (segments.length < 2 || segments.length > 3 || !FIRST_SEGMENT.test(segments[0] ?? '')) return null
  if (!segments.every(isPlain)) return null
  return join(folder, ...segments.map(shortened))
}

function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !UNSAFE.test(segment)
}

/**
 * A name that is too long is replaced by its digest. The folder depends on the content, so there are no
 * collisions with other files.
 */
function shortened(segment: string): string {
  if (Buffer.byteLength(segment) <= LONGEST_SEGMENT_BYTES) return segment
  const extension = extname(segment)
  const kept = Buffer.byteLength(extension) <= LONGEST_EXTENSION ? extension : ''
  return `~${createHash('sha256').update(segment).digest('hex')}${kept}`
}
