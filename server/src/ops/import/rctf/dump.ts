import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { StartError } from '../../../lib/errors.ts'
import { linesOf, readNames, readRow, tableOf, type Row } from './copy-text.ts'
import { isRctfTable, type RctfTable, type RctfTables } from './tables.ts'

// Dumps are data, not programs: their COPY blocks are parsed, and no statement of them is run.

/** More than the audit log of any contest. */
const MAX_DUMP_BYTES = 64 * 1024 ** 3

const COPY = /^COPY ((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?) \(([^()]*)\) FROM stdin;$/i
const INSERT = /^INSERT INTO (?:(?:"[^"]+"|\w+)\.)?"?(users|challenges|solves)"? /i
const ENCODING = /^SET client_encoding = '([^']*)';$/i
const END = String.raw`\.`
const CUSTOM_FORMAT = 'PGDMP'
/** Longer lines of SQL are not read: no statement that matters is as long. */
const MAX_STATEMENT_BYTES = 64 * 1024
/** PostgreSQL has no more. */
const MAX_COLUMNS = 1600
/** Dumps of contests compress to a tenth; the audit log of one flag that was sent a million times, to a fiftieth. */
const MAX_RATIO = 200
/** A smaller dump may compress better. */
const RATIO_FREE_BYTES = 16 * 1024 ** 2

/** Opens a dump of pg_dump: plain SQL, also compressed with gzip, or a format that pg_restore reads. */
export async function openDump(path: string): Promise<RctfTables> {
  const source = await sourceOf(path)
  return {
    async scan(wanted, onRow) {
      const columns = new Map<RctfTable, readonly string[]>()
      for await (const { table, names, row } of readBlocks(source(), wanted)) {
        columns.set(table, names)
        if (row) onRow(table, row)
      }
      return columns
    },
    async *rows(table) {
      for await (const { row } of readBlocks(source(), new Set([table]))) if (row) yield row
    },
    async [Symbol.asyncDispose]() {},
  }
}

type Source = () => AsyncIterable<Buffer>

async function sourceOf(path: string): Promise<Source> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StartError(`${path} does not exist.`)
  if (found.isDirectory()) {
    if (!(await stat(join(path, 'toc.dat')).catch(() => null)))
      throw new StartError(`${path} is a folder, but not a dump of pg_dump: it has no toc.dat.`)
    return () => restored(path)
  }
  const head = await headOf(path)
  if (head.subarray(0, CUSTOM_FORMAT.length).toString('latin1') === CUSTOM_FORMAT || isTar(head))
    return () => restored(path)
  const file = () => createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const maxBytes = Math.max(RATIO_FREE_BYTES, found.size * MAX_RATIO)
    return () => bounded(unzipped(path), Math.min(maxBytes, MAX_DUMP_BYTES))
  }
  return () => bounded(file())
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  return buffer.subarray(0, bytesRead)
}

function isTar(head: Buffer): boolean {
  return head.subarray(257, 262).toString('latin1') === 'ustar'
}

async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const file = createReadStream(path).once('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of file.pipe(gunzip)) yield chunk as Buffer
  } catch (cause) {
    throw new StartError('The dump is damaged: it cannot be decompressed. Nothing was imported.', { cause })
  } finally {
    file.destroy()
  }
}

async function* bounded(source: AsyncIterable<Buffer>, maxBytes = MAX_DUMP_BYTES): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes)
      throw new StartError(`The dump unpacks to more than ${maxBytes} bytes. Nothing was imported.`)
    yield chunk
  }
}

const MAX_COMPLAINT_LENGTH = 500

/** pg_restore writes the dump as SQL text; it connects to no database. */
async function* restored(path: string): AsyncGenerator<Buffer> {
  const child = spawn('pg_restore', ['--data-only', '--file=-', '--', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, MAX_COMPLAINT_LENGTH)
  })
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', () =>
      resolve('pg_restore is not installed. Install the PostgreSQL client, or use a plain dump of pg_dump'),
    )
    child.once('close', (status) => resolve(status === 0 ? null : `pg_restore failed: ${complaint.trim()}`))
  })
  try {
    yield* bounded(child.stdout as AsyncIterable<Buffer>)
    const problem = await ended
    if (problem !== null) throw new StartError(`${problem}. Nothing was imported.`)
  } finally {
    child.kill()
  }
}

interface Block {
  readonly table: RctfTable
  readonly names: readonly string[]
  /** Null for the line that begins the block. */
  readonly row: Row | null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function* readBlocks(
  source: AsyncIterable<Buffer>,
  wanted: ReadonlySet<RctfTable>,
): AsyncGenerator<Block> {
  let copying: { readonly table: RctfTable | null; readonly names: readonly string[] } | null = null
  for await (const lines of linesOf(source))
    for (const line of lines) {
      if (copying) {
        if (line.length === END.length && line.toString('latin1') === END) {
          copying = null
          continue
        }
        const { table, names } = copying
        if (table !== null && wanted.has(table)) yield { table, names, row: readRow(decoded(line), names) }
        continue
      }
      copying = blockOf(line)
      if (copying?.table) yield { table: copying.table, names: copying.names, row: null }
    }
  if (copying) throw new StartError('The dump is incomplete: it ends within a table. Nothing was imported.')
}

/** The first letters of COPY, INSERT and SET: all other lines are left out before they become text. */
const FIRST_BYTES = new Set(Buffer.from('CIScis'))

function blockOf(line: Buffer) {
  if (line.length > MAX_STATEMENT_BYTES || !FIRST_BYTES.has(line[0] ?? 0)) return null
  const text = line.toString('utf8')
  const [, name, list] = COPY.exec(text) ?? []
  if (name !== undefined && list !== undefined) {
    const table = tableOf(name)
    const names = readNames(list)
    if (names.length > MAX_COLUMNS)
      throw new StartError(`A table of the dump has more than ${MAX_COLUMNS} columns. Nothing was imported.`)
    return { table: isRctfTable(table) ? table : null, names }
  }
  if (INSERT.test(text))
    throw new StartError('The dump consists of INSERT statements. Run pg_dump without --inserts.')
  const [, encoding] = ENCODING.exec(text) ?? []
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
    throw new StartError(`The dump has the encoding ${encoding}. Run pg_dump with --encoding=UTF8.`)
  return null
}

function decoded(line: Buffer): string {
  try {
    return utf8.decode(line)
  } catch (cause) {
    throw new StartError('The dump is not UTF-8 text. Run pg_dump with --encoding=UTF8.', { cause })
  }
}
