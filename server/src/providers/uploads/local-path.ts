import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'

/** File systems take 255 bytes; names are up to 255 characters of up to four bytes. */
const LONGEST_SEGMENT_BYTES = 200
const LONGEST_EXTENSION = 16

const UNSAFE = /[/\\:\0]/
/** What keys begin with. Anything else in the folder, files that are still being written among it, is nobody's. */
const FIRST_SEGMENT = /^(?:[0-9a-f]{64}|avatars)$/

/** The file of a key inside the folder; null for what is no key. The only way from a request to a path. */
export function localPath(folder: string, segments: readonly string[]): string | null {
  if (segments.length < 2 || segments.length > 3 || !FIRST_SEGMENT.test(segments[0] ?? '')) return null
  if (!segments.every(isPlain)) return null
  return join(folder, ...segments.map(shortened))
}

function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !UNSAFE.test(segment)
}

/** Too long a name is replaced by its digest. The content decides the folder, so no other file can be met there. */
function shortened(segment: string): string {
  if (Buffer.byteLength(segment) <= LONGEST_SEGMENT_BYTES) return segment
  const extension = extname(segment)
  const kept = Buffer.byteLength(extension) <= LONGEST_EXTENSION ? extension : ''
  return `~${createHash('sha256').update(segment).digest('hex')}${kept}`
}
