import { createHash, randomUUID, type KeyObject } from 'node:crypto'
import { link, open, rm, unlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { queriesOf } from '../../db/database.ts'
import { hasTable } from '../../db/has-table.ts'
import { giveToFolderOwner } from '../../lib/folder-owner.ts'
import { refuseToCreate } from '../../lib/reason.ts'
import { signaturePath, signDigest } from '../../lib/ssh-signature.ts'
import type { UploadContents } from '../../providers/uploads/uploads.ts'
import { createByteReader } from './byte-reader.ts'
import { encrypt, type Encryption } from './encryption.ts'
import * as layout from './manifest.ts'
import { copyRows, listSequences, listTables, type Columns } from './tables.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

export interface BackupSource {
  /** A connection of its own: the snapshot lasts until the end. */
  readonly client: ClientBase
  /** Null if the provider cannot list its files. */
  readonly uploads: UploadContents | null
  readonly keys: layout.Keys
  /** The configuration as YAML. */
  readonly config: string
  readonly hasSecrets: boolean
}

export interface BackupTarget {
  /** The file must not exist. */
  readonly path: string
  /** Null for an archive that everyone can read. */
  readonly encryption: Encryption | null
  /** An Ed25519 key; null for an archive without a signature. */
  readonly signingKey: KeyObject | null
  readonly signal?: AbortSignal
}

export interface WrittenFile {
  readonly path: string
  readonly size: number
}

export interface BackupReport {
  readonly bytes: number
  readonly manifest: layout.Manifest
  /** The archive, after its signature if it has one: whoever copies them keeps that order. */
  readonly files: readonly WrittenFile[]
}

const NEWLINE = 10
const compress = promisify(gzip)

/** Writes an archive, readable only by this user. The file appears under its name when it is complete and signed. */
export async function createBackup(source: BackupSource, target: BackupTarget): Promise<BackupReport> {
  const { path, encryption, signingKey, signal } = target
  const partial = `${path}.${randomUUID()}.partial`
  const file = await open(partial, 'wx', 0o600).catch(refuseToCreate(path))
  const hash = createHash('sha512')
  let bytes = 0
  try {
    const archive = createArchive(source)
    const stream = encryption === null ? archive.bytes : encrypt(archive.bytes, createByteReader, encryption)
    for await (const chunk of stream) {
      signal?.throwIfAborted()
      hash.update(chunk)
      await file.writeFile(chunk)
      bytes += chunk.length
    }
    await giveToFolderOwner(partial)
    await file.sync()
    const signature = signingKey && signDigest(signingKey, hash.digest())
    if (signature !== null) await create(signaturePath(path), signature)
    try {
      // Unlike a rename, a link never replaces a file.
      await link(partial, path).catch(refuseToCreate(path))
    } catch (error) {
      if (signature !== null) await rm(signaturePath(path))
      throw error
    }
    const files = signature === null ? [] : [{ path: signaturePath(path), size: signature.length }]
    return { bytes, manifest: archive.manifest(), files: [...files, { path, size: bytes }] }
  } finally {
    await file.close()
    await unlink(partial)
  }
}

async function create(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true }).catch(refuseToCreate(path))
  await giveToFolderOwner(path)
}

/** The archive as a stream, read from the database and the uploads as it is consumed. */
export function createArchive(source: BackupSource) {
  const members = createMembers()
  let manifest: layout.Manifest | null = null

  async function* snapshot(): AsyncGenerator<Buffer> {
    const { client, hasSecrets } = source
    const tables: layout.Table[] = []
    const uploads: layout.Manifest['uploads'] = source.uploads && []
    await client.query(BEGIN)
    try {
      const facts = await readSnapshot(client)
      for (const columns of await listTables(client))
        yield* tableMembers(client, columns, { tables, members })
      const sequences = await listSequences(client)
      await client.query('commit')
      if (source.uploads && uploads) yield* uploadMembers(source.uploads, uploads, members)
      yield* members.add(layout.KEYS_NAME, jsonOf(source.keys))
      yield* members.add(layout.CONFIG_NAME, Buffer.from(source.config))
      manifest = { format: 1, ...facts, hasSecrets, tables, sequences, uploads, members: [...members.all] }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  async function* bytes(): AsyncGenerator<Buffer> {
    yield* members.add(layout.MARK_NAME, layout.MARK)
    yield* snapshot()
    const text = jsonOf(manifest)
    yield* members.add(layout.MANIFEST_NAME, text)
    yield* members.add(layout.CHECKSUM_NAME, Buffer.from(`${digestOf(text)}  ${layout.MANIFEST_NAME}\n`))
    yield TAR_END
  }

  return {
    bytes: bytes(),
    /** After the last byte. */
    manifest(): layout.Manifest {
      if (manifest === null) throw new Error('the archive is not complete')
      return manifest
    },
  }
}

/** Writes members and collects their digests for the manifest. */
function createMembers() {
  const all: layout.Manifest['members'] = []
  return {
    all,

    *add(name: string, content: Buffer): Generator<Buffer> {
      all.push({ name, size: content.length, sha256: digestOf(content) })
      yield* [tarHeader(name, content.length), content, tarPadding(content.length)]
    },

    async *addStream(name: string, size: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const hash = createHash('sha256')
      let length = 0
      yield tarHeader(name, size)
      for await (const chunk of content) {
        hash.update(chunk)
        length += chunk.length
        yield chunk
      }
      if (length !== size) throw new Error('the size of an upload changed during the backup')
      yield tarPadding(size)
      all.push({ name, size, sha256: hash.digest('hex') })
    },
  }
}

type Members = ReturnType<typeof createMembers>

/** The rows of a table in parts of whole rows. */
async function* tableMembers(
  client: ClientBase,
  columns: Columns,
  { tables, members }: { readonly tables: layout.Table[]; readonly members: Members },
): AsyncGenerator<Buffer> {
  const reader = createByteReader(copyRows(client, columns))
  let rest: Buffer = Buffer.alloc(0)
  let rows = 0
  let parts = 0
  for (;;) {
    const more = await reader.upTo(layout.PART_BYTES)
    if (more.length === 0) break
    const text = Buffer.concat([rest, more])
    const end = text.lastIndexOf(NEWLINE) + 1
    rest = text.subarray(end)
    if (rest.length > layout.MAX_PART_BYTES)
      throw new Error(`a row of ${columns.name} is too large for a backup`)
    if (end === 0) continue
    rows += countLines(text.subarray(0, end))
    parts += 1
    yield* members.add(layout.partName(columns.name, parts), await compress(text.subarray(0, end)))
  }
  tables.push({ ...columns, rows, parts })
}

async function* uploadMembers(
  uploads: UploadContents,
  listed: NonNullable<layout.Manifest['uploads']>,
  members: Members,
): AsyncGenerator<Buffer> {
  for await (const { key, size } of uploads.list()) {
    const content = await uploads.open(key)
    // Removed since it was listed.
    if (content === null) continue
    const member = `uploads/${String(listed.length + 1).padStart(6, '0')}`
    listed.push({ key, member })
    yield* members.addStream(member, size, content)
  }
}

/** All tables at one instant. The server's own limits are for short statements. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

async function readSnapshot(client: ClientBase) {
  const { rows } = await client.query<{ at: Date; postgres: string }>(
    `select clock_timestamp() as at, current_setting('server_version') as postgres`,
  )
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  )
  const [{ at, postgres } = { at: new Date(0), postgres: '' }] = rows
  // A backup before an upgrade may be of an earlier schema.
  const hasLog = await hasTable(queriesOf(client), 'action_chain')
  const { rows: heads } = await client.query<{ seq: number; hash: string }>(
    hasLog ? 'select seq::float8 as seq, hash from action_chain' : 'select limit 0',
  )
  const [actionsHead] = heads
  return { snapshotAt: at.toISOString(), postgres, migrations, ...(actionsHead && { actionsHead }) }
}

function countLines(text: Buffer): number {
  let lines = 0
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}
