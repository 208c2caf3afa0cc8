import { gzipSync } from 'node:zlib'
import { ZipFile } from 'yazl'

export interface PackedFile {
  /** The path in the archive. */
  readonly path: string
  readonly content: Buffer
}

/** The same for all, so that equal files are equal archives. */
const TIME = new Date(Date.UTC(2000, 0, 1))
const MODE = 0o644
const BLOCK = 512

/** A reproducible archive: equal files result in equal bytes, with the same version of zlib. */
export async function pack(format: 'tar_gz' | 'zip', files: readonly PackedFile[]): Promise<Buffer> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return format === 'zip' ? await zipOf(sorted) : gzipSync(tarOf(sorted))
}

async function zipOf(files: readonly PackedFile[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { path, content } of files)
    zip.addBuffer(content, path, { mtime: TIME, mode: 0o100000 | MODE, forceDosTimestamp: true })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as unknown as Buffer)
  return Buffer.concat(chunks)
}

function tarOf(files: readonly PackedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const name = Buffer.byteLength(path) > 100 ? longName(path) : []
    return [...name, header(path, content.length, '0'), content, padding(content.length)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** GNU's entry for a name that does not fit into a header. */
function longName(path: string): Buffer[] {
  const name = Buffer.from(`${path}\0`)
  return [header('././@LongLink', name.length, 'L'), name, padding(name.length)]
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

function header(path: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  Buffer.from(path).copy(block, 0, 0, 100)
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
  octal(MODE, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(TIME.getTime() / 1000, 136, 12)
  block.write('        ', 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}
