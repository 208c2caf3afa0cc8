import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip archive. What is not given is derived from the content; anything may be a lie. */
export interface ZipEntry {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  readonly deflate?: boolean
  readonly method?: number
  readonly flags?: number
  /** Unix mode, such as 0o120777 for a link. */
  readonly mode?: number
  readonly crc?: number
  /** The declared size of the content. */
  readonly size?: number
  /** Index of the entry whose bytes it shares. */
  readonly sharesWith?: number
}

const UTF8_NAME = 0x800
const CENTRAL_BYTES = 46

/** Writes a zip archive byte by byte, so that tests can write invalid ones as well. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  const offsets: number[] = []
  let at = 0
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '')
    const packed = entry.deflate ? deflateRawSync(content) : content
    const fields = fieldsOf(entry, content, packed)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields.common, fields.name, packed])
    const offset = entry.sharesWith === undefined ? at : (offsets[entry.sharesWith] ?? 0)
    offsets.push(offset)
    if (entry.sharesWith === undefined) {
      locals.push(local)
      at += local.length
    }
    const rest = Buffer.alloc(CENTRAL_BYTES - 6 - fields.common.length)
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, rest.length - 8)
    rest.writeUInt32LE(offset, rest.length - 4)
    const head = Buffer.from('PK\x01\x02\x1e\x03', 'latin1')
    centrals.push(Buffer.concat([head, fields.common, rest, fields.name]))
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

/** The fields that the local and the central header share. */
function fieldsOf(entry: ZipEntry, content: Buffer, packed: Buffer) {
  const name = Buffer.from(entry.name as string)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(entry.flags ?? UTF8_NAME, 2)
  common.writeUInt16LE(entry.method ?? (entry.deflate ? 8 : 0), 4)
  common.writeUInt32LE(entry.crc ?? crc32(content), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(entry.size ?? content.length, 18)
  common.writeUInt16LE(name.length, 22)
  return { common, name }
}
