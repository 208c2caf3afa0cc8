import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { mayUseCaches } from '../../lib/caching.ts'
import { shiftOf, shifted, type Shift } from './crc.ts'
import type { BodyPool } from './body-pool.ts'

// A body that is joined for one response from parts that many responses share, and a few bytes of its own: a list with the caller's own
// points, a profile with a new token. Nothing of it is kept. Parts are compressed once, as raw deflate that ends at a byte; gzip allows
// stored blocks between them, and the checksum of the whole follows from those of the parts. A part that follows another one is compressed
// with that one as its dictionary: a list of challenges is then 1.4 times as long as if it were compressed as a whole, and 3.2 times
// without. Brotli allows none of this.

/** A text that is the same in many responses. */
export interface Part {
  readonly body: Buffer
  /** Once it was needed. */
  compressed: Compressed | null
}

interface Compressed {
  readonly crc: number
  /** What its length does to the checksum of what comes before. */
  readonly shift: Shift
  /** By the part before it. */
  readonly after: WeakMap<Part, Buffer | Promise<Buffer>>
}

/** What a body is written to. */
export interface Sink {
  part(part: Part): void
  text(text: string): void
  bytes(bytes: Uint8Array): void
}

export interface Joined {
  readonly kind: 'joined'
  /** Identifies the bytes, with its quotes. Empty for a body that must not be cached. */
  readonly etag: string
  /** About as long as the body; a buffer of this size is taken first. */
  readonly expectedBytes: number
  /**
   * Without it, the parts are compressed, each once. `whole`: they are so short that the body would be four times as long as if it is
   * compressed as a whole. `none`: it is short, and other for each caller, so that compressing costs five times as much as sending it.
   */
  readonly compression?: 'whole' | 'none'
  /** Writes the same each time it is called. */
  readonly write: (sink: Sink) => void
}

/** A buffer of the pool, and how much of it is the body. */
export interface Written {
  readonly lease: Buffer
  readonly length: number
}

export function partOf(text: string | Buffer): Part {
  return { body: typeof text === 'string' ? Buffer.from(text) : text, compressed: null }
}

export function writtenBy(writer: Writer, { expectedBytes, write }: Joined): Written {
  writer.begin(expectedBytes)
  write(writer)
  return writer.written()
}

const NO_BYTES: Buffer = Buffer.alloc(0)
/** UTF-16 code units have at most three bytes each in UTF-8. */
const MAX_UNIT_BYTES = 3

/**
 * Writes one body after the other, each to a buffer of the pool that is exchanged for a larger one when it is full. A body is written without
 * waiting, so one writer serves all requests.
 */
export function createWriter(pool: BodyPool) {
  let lease = NO_BYTES
  let at = 0

  function reserve(length: number): void {
    if (at + length <= lease.length) return
    const larger = pool.take(2 * (at + length))
    lease.copy(larger, 0, 0, at)
    pool.release(lease)
    lease = larger
  }

  function bytes(from: Uint8Array): void {
    reserve(from.length)
    lease.set(from, at)
    at += from.length
  }

  return {
    begin(expectedBytes: number): void {
      lease = pool.take(expectedBytes)
      at = 0
    },
    part: ({ body }: Part): void => bytes(body),
    bytes,
    text(text: string): void {
      reserve(text.length * MAX_UNIT_BYTES)
      at += lease.write(text, at)
    },
    position: () => at,
    /** The buffer as it is now. It changes when the next bytes are written. */
    current: () => lease,
    written(): Written {
      const written = { lease, length: at }
      lease = NO_BYTES
      return written
    },
  }
}

export type Writer = ReturnType<typeof createWriter>

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** A stored block begins with one byte, its length and the complement of its length. */
const STORED_HEADER = Buffer.alloc(5)
const MAX_STORED_BYTES = 0xffff
/** An empty block that is the last one. */
const END = Buffer.from([3, 0])
const TRAILER = Buffer.alloc(8)
/** Longer texts are stored in pieces, so that a block has room for each. */
const MAX_PIECE = 8 * 1024

/** The part before what follows a text of one response, whose length differs. */
const NONE = partOf('')

/** Waits only if a part was not compressed before. */
export function gzipBy(writer: Writer, parts: Joined): Written | Promise<Written> {
  const blocks: (Buffer | Promise<Buffer>)[] = []
  let before = NONE
  const cut = () => void (before = NONE)
  parts.write({
    part(part) {
      blocks.push(deflatedAfter(before, part))
      before = part
    },
    text: cut,
    bytes: cut,
  })
  return areBuffers(blocks)
    ? assembled(writer, parts, blocks)
    : Promise.all(blocks).then((ready) => assembled(writer, parts, ready))
}

function areBuffers(blocks: readonly (Buffer | Promise<Buffer>)[]): blocks is readonly Buffer[] {
  return blocks.every((block) => block instanceof Buffer)
}

/** `blocks`: the parts in the order in which they are written. */
function assembled(writer: Writer, { expectedBytes, write }: Joined, blocks: readonly Buffer[]): Written {
  let crc = 0
  let size = 0
  let used = 0
  /** Where the open stored block begins, or -1. */
  let stored = -1

  function close(): void {
    if (stored < 0) return
    const block = writer.current().subarray(stored, writer.position())
    const length = block.length - STORED_HEADER.length
    block.writeUInt16LE(length, 1)
    block.writeUInt16LE(~length & 0xffff, 3)
    crc = crc32(block.subarray(STORED_HEADER.length), crc)
    size += length
    stored = -1
  }

  function store(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += MAX_PIECE) {
      const piece = bytes.subarray(from, from + MAX_PIECE)
      if (stored >= 0 && writer.position() - stored + piece.length > MAX_STORED_BYTES) close()
      if (stored < 0) {
        stored = writer.position()
        writer.bytes(STORED_HEADER)
      }
      writer.bytes(piece)
    }
  }

  writer.begin(expectedBytes)
  writer.bytes(GZIP_HEADER)
  write({
    part(part) {
      const { crc: own, shift } = compressedOf(part)
      close()
      writer.bytes(blocks[used++] as Buffer)
      crc = (shifted(crc, shift) ^ own) >>> 0
      size += part.body.length
    },
    text: (text) => store(Buffer.from(text)),
    bytes: store,
  })
  close()
  writer.bytes(END)
  TRAILER.writeUInt32LE(crc, 0)
  TRAILER.writeUInt32LE(size, 4)
  writer.bytes(TRAILER)
  return writer.written()
}

const deflate = promisify(deflateRaw)
/** Ends a part at a byte, without ending the stream. */
const finishFlush = constants.Z_SYNC_FLUSH

function compressedOf(part: Part): Compressed {
  const { body } = part
  return (part.compressed ??= { crc: crc32(body), shift: shiftOf(body.length), after: new WeakMap() })
}

function deflatedAfter(before: Part, part: Part): Buffer | Promise<Buffer> {
  const { after } = compressedOf(part)
  const known = mayUseCaches() ? after.get(before) : undefined
  if (known) return known
  const options = before === NONE ? { finishFlush } : { finishFlush, dictionary: before.body }
  const made = deflate(part.body, options).then((bytes) => {
    after.set(before, bytes)
    return bytes
  })
  after.set(before, made)
  return made
}
