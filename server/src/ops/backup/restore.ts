import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrateTo, migrateWithin } from '../../db/migrate.ts'
import { StartError } from '../../lib/errors.ts'
import type { Uploads } from '../../providers/uploads/uploads.ts'
import * as layout from './manifest.ts'
import { contentOf, hashed, readMembers, type ArchiveFile } from './read-archive.ts'
import { copyStatement, listTables, quoted } from './tables.ts'
import { damaged, type TarMember } from './tar.ts'

export interface RestoreTarget {
  /** A connection of its own. */
  readonly client: ClientBase
  /** Name of the database if its contents may be replaced; null if it must be empty. */
  readonly into: string | null
  readonly uploads: Pick<Uploads, 'stagingFolder' | 'store'>
  /** Runs in the transaction of the restore, before its commit. */
  readonly beforeCommit?: (client: ClientBase, restored: Restored) => Promise<void>
}

export interface Restored {
  readonly keys: layout.Keys
  /** The archive's `config.yaml`. */
  readonly config: string
  readonly uploads: number
}

const expand = promisify(gunzip)

/** The last two members, which the list of members precedes. */
const UNLISTED = new Set([layout.MANIFEST_NAME, layout.CHECKSUM_NAME])

const BEGIN = `begin;
  set local statement_timeout = 0;
  set local lock_timeout = '10s';
  set local idle_in_transaction_session_timeout = 0`

/**
 * Replaces the database with that of a checked archive in one transaction, migrates it to this version, and stores its
 * uploads. If anything fails, the database is as before.
 */
export async function restoreArchive(
  file: ArchiveFile,
  manifest: layout.Manifest,
  target: RestoreTarget,
): Promise<Restored> {
  const { client } = target
  await client.query(BEGIN)
  try {
    await requireEmpty(client, target.into)
    await dropEverything(client)
    await migrateTo(client, manifest.migrations)
    const restored = await load(file, manifest, target)
    await migrateWithin(client)
    await target.beforeCommit?.(client, restored)
    await client.query('commit')
    await client.query('analyze')
    return restored
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Rows that a first start of the server writes into an empty database. */
const FROM_START = new Set([
  'migrations',
  'settings',
  'deployment',
  'leases',
  'markers',
  'action_chain',
  'message_options',
  'pending_registrations',
])

async function requireEmpty(client: ClientBase, into: string | null): Promise<void> {
  const { rows: names } = await client.query<{ name: string }>('select current_database() as name')
  const name = names[0]?.name ?? ''
  if (into === name) return
  if (into !== null)
    throw new StartError(`--into names ${into}, but the configured database is ${name}. Nothing was changed.`)
  const tables = await listTables(client)
  const isOurs = tables.some((table) => table.name === 'migrations') || tables.length === 0
  const filled: string[] = isOurs ? [] : tables.map((table) => table.name)
  for (const table of isOurs ? tables : []) {
    if (FROM_START.has(table.name)) continue
    const { rows } = await client.query(`select 1 from ${quoted(table.name)} limit 1`)
    if (rows.length > 0) filled.push(table.name)
  }
  if (filled.length > 0)
    throw new StartError(
      `The database ${name} is not empty (${filled.slice(0, 3).join(', ')}). Use an empty database, or replace ` +
        `everything in this one with --into ${name}. Nothing was changed.`,
    )
}

async function dropEverything(client: ClientBase): Promise<void> {
  for (const { name } of await listTables(client))
    await client.query(`drop table if exists ${quoted(name)} cascade`)
  const { rows } = await client.query<{ routine: string }>(`
    select p.oid::regprocedure::text as routine from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  for (const { routine } of rows) await client.query(`drop routine if exists ${routine} cascade`)
}

async function load(file: ArchiveFile, manifest: layout.Manifest, target: RestoreTarget): Promise<Restored> {
  const { client } = target
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  const uploadKeys = new Map((manifest.uploads ?? []).map(({ key, member }) => [member, key]))
  const digests = new Map(manifest.members.map(({ name, sha256 }) => [name, sha256]))
  let keys: layout.Keys | null = null
  let config = ''
  await prepareTables(client, [...tables.values()])
  for await (const member of readMembers(file)) {
    const uploadKey = uploadKeys.get(member.name)
    const digest = digests.get(member.name)
    const table = tables.get(/^database\/(.+)\.\d+\.copy\.gz$/.exec(member.name)?.[1] ?? '')
    if (uploadKey !== undefined) {
      await storeUpload(member, { key: uploadKey, digest }, target.uploads)
      continue
    }
    const content = await contentOf(member)
    if (digest === undefined && !UNLISTED.has(member.name)) throw changed()
    if (digest !== undefined && createHash('sha256').update(content).digest('hex') !== digest) throw changed()
    if (table) await loadPart(client, table, content)
    if (member.name === layout.KEYS_NAME) keys = layout.Keys.parse(JSON.parse(content.toString()))
    if (member.name === layout.CONFIG_NAME) config = content.toString()
  }
  await finishTables(client, manifest)
  if (keys === null) throw damaged('its keys are missing')
  return { keys, config, uploads: uploadKeys.size }
}

/** Each pass reads the file again, and it may have changed since the check. */
function changed(): StartError {
  return damaged('it changed while it was read')
}

/** Triggers would announce old solves again; rows that migrations insert are in the archive as well. */
async function prepareTables(client: ClientBase, tables: readonly layout.Table[]): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
}

async function loadPart(client: ClientBase, table: layout.Table, zipped: Buffer): Promise<void> {
  const stream = client.query(copyFrom(copyStatement(table, 'from stdin')))
  stream.end(await expand(zipped, { maxOutputLength: layout.MAX_PART_BYTES }))
  await finished(stream)
}

async function finishTables(client: ClientBase, { tables, sequences }: layout.Manifest): Promise<void> {
  for (const { name, rows: expected } of tables) {
    await client.query(`alter table ${quoted(name)} enable trigger user`)
    const { rows } = await client.query<{ count: number }>(`select count(*) from ${quoted(name)}`)
    if (Number(rows[0]?.count) !== expected)
      throw damaged(`${name} does not have the number of rows in the manifest`)
  }
  for (const { table, column, value, isCalled } of sequences)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
      table,
      column,
      value,
      isCalled,
    ])
}

async function storeUpload(
  { size, content }: TarMember,
  { key, digest }: { readonly key: string; readonly digest: string | undefined },
  { stagingFolder, store }: RestoreTarget['uploads'],
): Promise<void> {
  const path = join(stagingFolder, randomUUID())
  const hash = createHash('sha256')
  try {
    await pipeline(
      Readable.from(hashed(content, hash)),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
    if (hash.digest('hex') !== digest) throw changed()
    await store(key, { path, size })
  } finally {
    await rm(path, { force: true })
  }
}
