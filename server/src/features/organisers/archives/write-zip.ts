import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { WrittenFile } from './write-folders.ts'

/** A file of the store. */
export interface StoredContent {
  readonly size: number
  readonly open: () => Promise<Readable>
}

/** The same challenges result in the same bytes, so that archives can be compared. */
const TIME = new Date(Date.UTC(2000, 0, 1))
const MODE = 0o100644

/**
 * A zip archive of the files, read one after another while it is sent. Files are not compressed: nearly all
 * of them are already, its size is known before, and an import never refuses it as a bomb.
 */
export async function writeZip(
  files: readonly WrittenFile<StoredContent>[],
): Promise<{ readonly content: Readable; readonly sizeBytes: number }> {
  const zip = new ZipFile()
  const options = { mtime: TIME, mode: MODE, compress: false, forceDosTimestamp: true }
  const content = zip.outputStream as Readable
  // The library does not handle errors of the streams that it reads, and does not close them with the archive.
  let current: Readable | null = null
  const fail = (error: Error) => void content.destroy(error)
  zip.on('error', fail)
  content.once('close', () => current?.destroy())
  for (const file of files) {
    if ('text' in file) {
      zip.addBuffer(Buffer.from(file.text), file.path, options)
      continue
    }
    const { size, open } = file.local
    zip.addReadStreamLazy(file.path, { ...options, size }, (done) => {
      open().then((stream) => {
        current = stream.once('error', fail)
        done(null, stream)
      }, fail)
    })
  }
  const sizeBytes = await new Promise<number>((resolve) => {
    // The types omit the argument of the callback.
    zip.end({ forceZip64Format: isLarge(files), comment: '' }, resolve as () => void)
  })
  return { content, sizeBytes }
}

const DIRECTORY_ENTRY_BYTES = 46
const LARGE_DIRECTORY_BYTES = 0xffff

/**
 * From this size of its directory on, the library counts the bytes of the ZIP64 format, although it uses that
 * format only for far larger directories unless it is forced to.
 */
function isLarge(files: readonly { readonly path: string }[]): boolean {
  const sizes = files.map(({ path }) => DIRECTORY_ENTRY_BYTES + Buffer.byteLength(path))
  return sizes.reduce((sum, size) => sum + size, 0) >= LARGE_DIRECTORY_BYTES
}
