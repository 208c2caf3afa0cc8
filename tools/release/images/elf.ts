// The few facts of ELF programs that an image is checked by. `ldd` cannot read programs of another architecture.

export interface Elf {
  readonly machine: number
  /** Path of the dynamic linker. */
  readonly interpreter: string | null
  /** Names of libraries. */
  readonly needed: readonly string[]
  /** Folders to search first; may begin with `$ORIGIN`. */
  readonly searchPaths: readonly string[]
}

interface Segment {
  readonly type: number
  readonly offset: number
  readonly address: number
  readonly size: number
}

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
const SEGMENT = { load: 1, dynamic: 2, interpreter: 3 }
const TAG = { end: 0, needed: 1, strings: 5, rpath: 15, runpath: 29 }
/** Of the 64-bit header: where segments and sections are listed. */
const AT = { machine: 18, segments: 32, sections: 40, segmentSize: 54, segmentCount: 56, sectionCount: 60 }
const HEADER_BYTES = 64

/** Reads a program or library for a 64-bit machine; null for every other file. */
export function readElf(bytes: Buffer): Elf | null {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const segments = segmentsOf(bytes)
  const interpreter = segments.find(({ type }) => type === SEGMENT.interpreter)
  const tags = tagsOf(bytes, segments)
  const strings = tags.find(({ tag }) => tag === TAG.strings)
  const start = strings === undefined ? 0 : fileOffset(segments, strings.value)
  const texts = (...wanted: readonly number[]) =>
    tags.filter(({ tag }) => wanted.includes(tag)).map(({ value }) => textAt(bytes, start + value))
  return {
    machine: bytes.readUInt16LE(AT.machine),
    interpreter: interpreter ? textAt(bytes, interpreter.offset) : null,
    needed: texts(TAG.needed),
    searchPaths: texts(TAG.rpath, TAG.runpath).flatMap((paths) => paths.split(':')),
  }
}

/**
 * Without the list of sections and what follows the last segment: symbols and debugging information, which the kernel
 * does not load. Does what `strip` does, for every architecture and independently of its version.
 */
export function stripSections(bytes: Buffer): Buffer {
  const end = Math.max(...segmentsOf(bytes).map(({ offset, size }) => offset + size))
  const stripped = Buffer.from(bytes.subarray(0, end))
  stripped.writeBigUInt64LE(0n, AT.sections)
  // The number of sections, and the index of the one with their names.
  stripped.writeUInt32LE(0, AT.sectionCount)
  return stripped
}

function segmentsOf(bytes: Buffer): Segment[] {
  const first = Number(bytes.readBigUInt64LE(AT.segments))
  const step = bytes.readUInt16LE(AT.segmentSize)
  return Array.from({ length: bytes.readUInt16LE(AT.segmentCount) }, (_, index) => {
    const at = first + index * step
    return {
      type: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: Number(bytes.readBigUInt64LE(at + 16)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
    }
  })
}

function tagsOf(bytes: Buffer, segments: readonly Segment[]) {
  const dynamic = segments.find(({ type }) => type === SEGMENT.dynamic)
  const tags: { tag: number; value: number }[] = []
  if (!dynamic) return tags
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    const tag = Number(bytes.readBigInt64LE(at))
    if (tag === TAG.end) break
    tags.push({ tag, value: Number(bytes.readBigUInt64LE(at + 8)) })
  }
  return tags
}

function fileOffset(segments: readonly Segment[], address: number): number {
  const segment = segments.find(
    (one) => one.type === SEGMENT.load && address >= one.address && address < one.address + one.size,
  )
  if (!segment) throw new Error(`no segment contains the address ${address}`)
  return segment.offset + address - segment.address
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, bytes.indexOf(0, start))
}
