import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { mayUseCaches } from '../../lib/caching.ts'
import type { Prepared } from './prepared.ts'

// A body that is the same in each response except for a few bytes, such as a profile with a new token. Its other parts are
// compressed once, as raw deflate; gzip allows a stored block between them. A profile of 7 KB takes a tenth of the processor time of
// compressing it whole (0.16 instead of 1.6 ms).

const deflate = promisify(deflateRaw)

/** Bodies change with each solve, so they are compressed quickly rather than well. */
const LEVEL = 1
/** Ends a part at a byte, without ending the stream. */
const NOT_LAST = constants.Z_SYNC_FLUSH
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** A stored block begins with one byte, its length and the complement of its length. */
const STORED_HEADER_BYTES = 5
const MAX_STORED_BYTES = 0xffff

interface Deflated {
  readonly before: Buffer
  readonly after: Buffer
}

/** Where a template is split, and its compressed parts, once they were needed. */
interface Split {
  readonly before: Buffer
  readonly after: Buffer
  deflated: Promise<Deflated> | null
}

// Keyed by the template and garbage collected with it.
const splits = new WeakMap<Prepared, Split>()

/**
 * Returns a body for one response: the template with a Latin-1 text inserted after the first `marker`, which it contains. Responses with
 * a credential have no ETag.
 */
export function splice(template: Prepared, marker: string, text: string): Prepared {
  const split = splitOf(template, marker)
  const { before, after } = split
  const inserted = Buffer.from(text, 'latin1')
  if (inserted.length > MAX_STORED_BYTES) throw new RangeError('the text is too long for one stored block')
  return {
    kind: 'prepared',
    etag: '',
    get body() {
      return Buffer.concat([before, inserted, after])
    },
    once: {
      sizeBytes: template.body.length + inserted.length,
      writeTo(buffer) {
        before.copy(buffer)
        inserted.copy(buffer, before.length)
        after.copy(buffer, before.length + inserted.length)
      },
      gzip: async () => joined(split, await (split.deflated ??= deflatedOf(split)), inserted),
    },
  }
}

function splitOf(template: Prepared, marker: string): Split {
  const known = mayUseCaches() ? splits.get(template) : undefined
  if (known) return known
  const at = template.body.indexOf(marker) + marker.length
  const split = { before: template.body.subarray(0, at), after: template.body.subarray(at), deflated: null }
  splits.set(template, split)
  return split
}

async function deflatedOf({ before, after }: Split): Promise<Deflated> {
  const [first, last] = await Promise.all([
    deflate(before, { level: LEVEL, finishFlush: NOT_LAST }),
    deflate(after, { level: LEVEL }),
  ])
  return { before: first, after: last }
}

function joined({ before, after }: Split, parts: Deflated, inserted: Buffer): Buffer {
  const stored = Buffer.alloc(STORED_HEADER_BYTES)
  stored.writeUInt16LE(inserted.length, 1)
  stored.writeUInt16LE(~inserted.length & 0xffff, 3)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(after, crc32(inserted, crc32(before))), 0)
  trailer.writeUInt32LE(before.length + inserted.length + after.length, 4)
  return Buffer.concat([GZIP_HEADER, parts.before, stored, inserted, parts.after, trailer])
}
