import type { KeyObject } from 'node:crypto'
import { Client } from 'pg'
import { raw } from 'sql-template-tag'
import { createBackup } from '../src/ops/backup/create.ts'
import type { Encryption } from '../src/ops/backup/encryption.ts'
import type { Manifest } from '../src/ops/backup/manifest.ts'
import { checkArchive, type ArchiveFile } from '../src/ops/backup/read-archive.ts'
import { restoreArchive } from '../src/ops/backup/restore.ts'
import { openDatabase, type Database } from '../src/db/database.ts'
import { localUploads } from '../src/providers/uploads/local.ts'
import type { Uploads } from '../src/providers/uploads/uploads.ts'
import { createEmptyDatabase } from './database.ts'
import { temporaryFolder } from './folder.ts'
import { noon } from './harness.ts'
import { recordLog } from './log.ts'

export const keys = {
  tokenKey: Buffer.alloc(32, 7).toString('base64'),
  startTime: '2030-05-02T11:00:00.000Z',
}
export const uploadKey = `${'a'.repeat(64)}/a file (1).txt`

/** What the tests of a file have opened. */
export const ends: (() => PromiseLike<unknown>)[] = []

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}

export async function folder(): Promise<string> {
  const made = await temporaryFolder()
  ends.push(() => made[Symbol.asyncDispose]())
  return made.path
}

export async function uploadsIn(dataDir: string): Promise<Uploads> {
  const context = { fetch, log: recordLog().log, now: () => noon, dataDir }
  return await localUploads.start({ uploadDirectory: 'uploads' }, context)
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function backUp(
  url: string,
  uploads: Uploads,
  [path, secret = null, signingKey = null]: readonly [string, (Encryption | null)?, (KeyObject | null)?],
) {
  return await withClient(url, (client) =>
    createBackup(
      { client, uploads: uploads.contents, keys, config: 'ctfName: Test\n', hasSecrets: false },
      { path, encryption: secret, signingKey },
    ),
  )
}

/** A passphrase, or an identity of age. */
export function archiveAt(path: string, secret: string | null = null): ArchiveFile {
  const isIdentity = secret?.startsWith('AGE-') ?? false
  return {
    path,
    passphrase: async () => (isIdentity ? null : secret),
    identities: async () => (isIdentity && secret !== null ? [secret] : []),
    mayBePlain: secret === null,
    verified: null,
  }
}

export async function restoreTo(url: string, file: ArchiveFile, into: string | null = null) {
  const manifest = await checkArchive(file)
  const uploads = await uploadsIn(await folder())
  const restored = await withClient(url, (client) =>
    restoreArchive(file, manifest, { client, into, uploads }),
  )
  return { restored, uploads, manifest }
}

export async function emptyDatabase(): Promise<{ url: string; db: () => Promise<Database> }> {
  const database = await createEmptyDatabase()
  ends.push(() => database[Symbol.asyncDispose]())
  const { url } = database
  return {
    url,
    async db() {
      const db = await openDatabase({ url, log: recordLog().log, maxPoolSize: 4 })
      ends.push(() => db.close())
      return db
    },
  }
}

/** Every row of every table, as text in a fixed order. */
export async function dump(db: Database, manifest: Manifest): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const { name } of manifest.tables) {
    // The lease of the worker is not restored.
    if (name === 'leases') continue
    const rows = await db.query<{ row: string }>(raw(`select t::text as row from "${name}" t order by 1`))
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}
