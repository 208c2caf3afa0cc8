import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { MAX_ENTRIES, MAX_RATIO, MAX_UNPACKED_UPLOADS, RATIO_FREE_BYTES } from './limits.ts'
import { isJunk } from './junk.ts'
import { caseKeyOf, pathProblem, tidied } from './paths.ts'
import type { FolderTree } from './folder-tree.ts'
import type { Problem } from './value.ts'

export interface FileDigest {
  readonly sha256: string
  readonly size: number
}

/** The files of a zip archive on disk. Nothing is unpacked to the disk. */
export interface ZipTree extends FolderTree, AsyncDisposable {
  /** Reads a whole file and checks its checksum. */
  digest(path: string): Promise<FileDigest | { readonly problem: string }>
  /** The content of a file whose digest was read. */
  open(path: string): Promise<Readable>
}

export interface ZipLimits {
  /** Maximum size of a file in bytes, compressed and unpacked: the limit of other uploads. */
  readonly maxFileBytes: number
}

export type OpenedZip = { readonly tree: ZipTree } | { readonly problems: readonly Problem[] }

/** Opens an archive and checks its directory, without unpacking a file. Reports every problem of it. */
export async function openZip(path: string, limits: ZipLimits): Promise<OpenedZip> {
  let zip: ZipFile
  try {
    // Names are decoded here, because the library replaces bytes that are not UTF-8.
    zip = await openPromise(path, { lazyEntries: true, decodeStrings: false, autoClose: false })
  } catch (error) {
    return { problems: [{ path: '', reason: `is not a zip archive: ${messageOf(error)}` }] }
  }
  const entries = await readDirectory(zip)
  const problems = 'problems' in entries ? entries.problems : problemsOf(entries.files, limits)
  if ('problems' in entries || problems.length > 0) {
    zip.close()
    return { problems }
  }
  return { tree: treeOf(zip, new Map(entries.files.map(({ path: name, entry }) => [name, entry]))) }
}

interface NamedEntry {
  readonly path: string
  readonly entry: Entry
}

async function readDirectory(
  zip: ZipFile,
): Promise<{ readonly files: NamedEntry[] } | { readonly problems: Problem[] }> {
  if (zip.entryCount > MAX_ENTRIES)
    return { problems: [{ path: '', reason: `the archive has more than ${MAX_ENTRIES} entries` }] }
  const files: NamedEntry[] = []
  const problems: Problem[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry)
      const reason = path === null ? 'the name is not UTF-8 text' : entryProblem(path, entry)
      if (reason !== null) problems.push({ path: path ?? entry.fileNameRaw.toString('latin1'), reason })
      else if (path !== null && !path.endsWith('/') && !isJunk(path)) files.push({ path, entry })
    }
  } catch (error) {
    return { problems: [...problems, { path: '', reason: `the archive is damaged: ${messageOf(error)}` }] }
  }
  return problems.length > 0 ? { problems } : { files }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Archives of Windows have backslashes. A slash at the end, which shows a folder, stays. */
function nameOf({ fileNameRaw }: Entry): string | null {
  try {
    const name = utf8.decode(fileNameRaw)
    return /[/\\]$/.test(name) ? `${tidied(name)}/` : tidied(name)
  } catch {
    return null
  }
}

const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
const [STORED, DEFLATED] = [0, 8]

function entryProblem(path: string, entry: Entry): string | null {
  const { compressionMethod, generalPurposeBitFlag, uncompressedSize, compressedSize } = entry
  const problem = pathProblem(path.endsWith('/') ? path.slice(0, -1) : path)
  if (problem !== null) return problem
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
  if (type !== 0 && type !== REGULAR && type !== FOLDER) return 'is a link or a special file'
  if ((generalPurposeBitFlag & ENCRYPTED_FLAGS) !== 0) return 'is encrypted'
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    return `is compressed with method ${compressionMethod}; only deflate is supported`
  const isBomb = uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_RATIO
  return isBomb ? `unpacks to more than ${MAX_RATIO} times its size` : null
}

function problemsOf(files: readonly NamedEntry[], { maxFileBytes }: ZipLimits): Problem[] {
  const problems = files
    .filter(({ entry }) => entry.uncompressedSize > maxFileBytes)
    .map(({ path }) => ({ path, reason: `is larger than ${maxFileBytes} bytes` }))
  const total = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  const maxTotal = maxFileBytes * MAX_UNPACKED_UPLOADS
  if (total > maxTotal)
    problems.push({ path: '', reason: `the archive unpacks to more than ${maxTotal} bytes` })
  return [...problems, ...nameProblems(files), ...overlaps(files)]
}

/** Sorts before every character that a path may contain, so that a folder's files follow it without a gap. */
const SEPARATOR = '\u0001'

/** Two files that a file system without case would store as one, and files that are folders of others. */
function nameProblems(files: readonly NamedEntry[]): Problem[] {
  const sorted = files
    .map(({ path }, at) => ({ path, at, key: caseKeyOf(path).replaceAll('/', SEPARATOR) }))
    .toSorted((a, b) => (a.key === b.key ? a.at - b.at : a.key < b.key ? -1 : 1))
  const problems: Problem[] = []
  let file: (typeof sorted)[number] | undefined
  for (const next of sorted) {
    if (next.key === file?.key) problems.push({ path: next.path, reason: sameAs(next.path, file.path) })
    else if (file && next.key.startsWith(file.key + SEPARATOR))
      problems.push({ path: next.path, reason: `is inside ${file.path}, which is a file` })
    else file = next
  }
  return problems
}

function sameAs(path: string, other: string): string {
  return other === path ? 'is in the archive twice' : `differs from ${other} only in case or accents`
}

/** Bytes before the content of an entry, at least. */
const LOCAL_HEADER_BYTES = 30

/** Entries that share their bytes: a small archive could contain the same bomb thousands of times. */
function overlaps(files: readonly NamedEntry[]): Problem[] {
  const sorted = files.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  )
  let end = 0
  return sorted.flatMap(({ path, entry: { relativeOffsetOfLocalHeader: start, compressedSize } }) => {
    const isOverlapping = start < end
    end = Math.max(end, start + LOCAL_HEADER_BYTES + compressedSize)
    return isOverlapping ? [{ path, reason: 'shares its bytes with another file' }] : []
  })
}

function treeOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): ZipTree {
  function entryAt(path: string): Entry {
    const entry = entries.get(path)
    if (!entry) throw new Error('not a file of this archive')
    return entry
  }

  async function digest(path: string, onChunk: (chunk: Buffer) => void = () => {}) {
    const entry = entryAt(path)
    const hash = createHash('sha256')
    let sum = 0
    let size = 0
    try {
      const content: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
      for await (const chunk of content) {
        hash.update(chunk)
        sum = crc32(chunk, sum)
        size += chunk.length
        onChunk(chunk)
      }
    } catch (error) {
      return { problem: `is damaged: ${messageOf(error)}` }
    }
    return sum === entry.crc32
      ? { sha256: hash.digest('hex'), size }
      : { problem: 'is damaged: the checksum differs' }
  }

  return {
    sizes: new Map([...entries].map(([path, { uncompressedSize }]) => [path, uncompressedSize])),
    digest: (path) => digest(path),
    async read(path) {
      const chunks: Buffer[] = []
      const { problem } = await digest(path, (chunk) => chunks.push(chunk))
      return problem === undefined ? { content: Buffer.concat(chunks) } : { problem }
    },
    open: (path) => zip.openReadStreamPromise(entryAt(path)),
    async [Symbol.asyncDispose]() {
      zip.close()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be read'
}
