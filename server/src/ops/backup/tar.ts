import { StartError } from '../../lib/errors.ts'
import type { ByteReader } from './byte-reader.ts'

const BLOCK = 512
/** The size field has eleven octal digits. */
const MAX_SIZE = 8 ** 11 - 1
const MAX_NAME = 99

export const TAR_END = Buffer.alloc(2 * BLOCK)

/** The ustar header of a file. Name and size determine every byte, so that a reader can reject any other byte. */
export function tarHeader(name: string, size: number): Buffer {
  if (size > MAX_SIZE) throw new StartError(`${name} is larger than 8 GiB, the limit of the archive format.`)
  if (name.length > MAX_NAME) throw new Error(`the member name ${name} is too long`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 'latin1')
  header.write('0000600\0' + '0000000\0'.repeat(2), 100, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0${' '.repeat(8)}0`, 124, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** The zero bytes after a member's content. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

export interface TarMember {
  readonly name: string
  readonly size: number
  /** Must be read to its end before the next member. */
  readonly content: AsyncGenerator<Buffer>
}

/** Reads an archive that this module wrote. Throws a StartError for any byte that it would not have written. */
export async function* readTar(reader: ByteReader): AsyncGenerator<TarMember> {
  for (;;) {
    const header = await reader.upTo(BLOCK)
    if (header.length < BLOCK) throw damaged('it ends too early')
    if (header.every((byte) => byte === 0)) break
    const name = header.toString('latin1', 0, header.indexOf(0))
    const digits = header.toString('latin1', 124, 135)
    const size = /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : -1
    if (size < 0 || name.length > MAX_NAME || !tarHeader(name, size).equals(header))
      throw damaged('the header of a member is wrong')
    yield { name, size, content: contentOf(reader, size) }
  }
  const end = await reader.upTo(BLOCK + 1)
  if (end.length !== BLOCK || end.some((byte) => byte !== 0)) throw damaged('its end is wrong')
}

async function* contentOf(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const part = await reader.some(left)
    if (part === null) throw damaged('it ends too early')
    left -= part.length
    yield part
  }
  const padding = tarPadding(size)
  if (!(await reader.upTo(padding.length)).equals(padding)) throw damaged('the end of a member is wrong')
}

export function damaged(reason: string): StartError {
  return new StartError(`The archive is damaged: ${reason}. Nothing was changed.`)
}
